// The widget that /widget-demo shows. It is made at the first start for an agent of the first organization, and again
// when somebody has deleted it.
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { DataFolder } from './data-folder.js';

interface DemoWidgetOptions {
  /** Scheme, host and port of the gateway. */
  readonly url: string;
  /** The key of the first organization. */
  readonly apiKey: string;
  /** The widget of the last start. */
  readonly known: string | undefined;
}

const Made = z.object({ data: z.object({ id: z.string() }) });

/** Services that have just started may say 503 and find each other a moment later. */
const attempts = 20;
const pauseMs = 250;

const agent = { name: 'Front desk', isActive: true, templateId: 'business' };
const consent = {
  required: true,
  version: '1',
  text: 'This is a demonstration. What you say and type stays on this machine, in the folder of this installation.',
};
const limits = { sessionsPerIpPerHour: 1_000, maxConcurrentSessions: 10 };

/** The gateway's page under each name of its address. */
const originsOf = (url: string): string[] => {
  const { port } = new URL(url);
  return ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}`);
};

const send = async ({ url, apiKey }: DemoWidgetOptions, path: string, body?: object): Promise<Response> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (response.status < 500 || attempt === attempts) return response;
    await delay(pauseMs);
  }
};

const make = async (options: DemoWidgetOptions, path: string, body: object): Promise<string> => {
  const response = await send(options, path, body);
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return Made.parse(await response.json()).data.id;
};

/** The id of the widget. @throws Error when the platform refuses, as it does after the key was deleted */
const demoWidget = async (options: DemoWidgetOptions): Promise<string> => {
  const { url, known } = options;
  if (known !== undefined) {
    const { status } = await send(options, `/widgets/${known}`);
    // Only a widget that is gone is made again: after an outage there would be two.
    if (status !== 404) return known;
  }
  const agentId = await make(options, '/agents', agent);
  return make(options, `/agents/${agentId}/widgets`, {
    ...{ name: 'Widget demo', allowedOrigins: originsOf(url), modes: ['voice', 'text'], consent, limits },
    theme: { mode: 'auto', variant: 'compact', position: 'bottom-right' },
  });
};

/** The platform runs without its demo too: an owner may have deleted the key of the first organization. */
export const keepDemoWidget = async (
  folder: DataFolder,
  url: string,
  progress: (step: string) => void,
): Promise<string | undefined> => {
  const { demo, demoWidgetId: known } = folder.state();
  if (demo === undefined) return undefined;
  const demoWidgetId = await demoWidget({ url, apiKey: demo.apiKey, known }).catch((error: Error) => {
    progress(`/widget-demo has no widget: ${error.message}`);
    return undefined;
  });
  if (demoWidgetId !== undefined) folder.saveState({ demoWidgetId });
  return demoWidgetId;
};
