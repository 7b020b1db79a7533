// One request of a visitor's page to the platform. No credentials or cookies travel; the browser tells the origin of the page.
import { Refusal, refusalOf } from './refusal.js';

const usualMs = 15_000;

/** @param server origin of the platform, such as https://voice.example.com */
export const addressOf = (server: string, widgetId: string): URL =>
  new URL(`/api/v1/public/widgets/${encodeURIComponent(widgetId)}/`, server);

/** @throws Refusal NETWORK, or the code that the platform answered; AbortError when `signal` aborts */
export const request = async (
  url: string | URL,
  init: RequestInit,
  signal?: AbortSignal,
  withinMs = usualMs,
): Promise<Response> => {
  const limit = new AbortController();
  const abort = (): void => limit.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  // Holds until headers are here; a stream may last longer.
  const timer = setTimeout(abort, withinMs);
  try {
    const response = await fetch(url, { ...init, credentials: 'omit', signal: limit.signal });
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => undefined);
    throw refusalOf(body, response.headers.get('retry-after'));
  } catch (error) {
    if (error instanceof Refusal || signal?.aborted) throw error;
    throw new Refusal('NETWORK', 'The platform could not be reached.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
};

export const dataOf = async (response: Response): Promise<unknown> => {
  const { data } = (await response.json()) as { readonly data: unknown }; // the envelope of every success
  return data;
};
