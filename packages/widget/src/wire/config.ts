// Reads the looks and offers of a widget: the only request of a page view without a conversation.
import { addressOf, dataOf, request } from './request.js';
import type { WidgetConfig } from './shapes.js';

/** @throws Refusal */
export const readConfig = async (
  server: string,
  widgetId: string,
  signal: AbortSignal,
): Promise<WidgetConfig> => {
  const data = await dataOf(await request(new URL('config', addressOf(server, widgetId)), {}, signal));
  return data as WidgetConfig; // the platform's answer has the shape of its contract
};
