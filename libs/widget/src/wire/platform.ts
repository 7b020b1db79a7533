// Requests of a visitor's page to the platform. No credentials or cookies travel; the browser tells the origin of the page.
import { Refusal, refusalOf } from './refusal.js';
import type { Session, SessionWish, WidgetConfig } from './shapes.js';

const answerWithinMs = 15_000;

export interface Platform {
  config(signal: AbortSignal): Promise<WidgetConfig>;
  open(wish: SessionWish, signal: AbortSignal): Promise<Session>;
  /** Ends a session, also while the page is being left. @returns seconds that it lasted, if the platform told */
  end(session: Session, reason: string): Promise<number | undefined>;
  /** Sends a message of a text conversation. @returns the body of the answer, a stream of events */
  say(session: Session, text: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/** @throws Refusal NETWORK, or the code that the platform answered; AbortError when `signal` aborts */
const request = async (url: string | URL, init: RequestInit, signal?: AbortSignal): Promise<Response> => {
  const limit = new AbortController();
  const abort = (): void => limit.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  // Holds until headers are here; a stream may last longer.
  const timer = setTimeout(abort, answerWithinMs);
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

const post = (body: unknown, keepalive = false): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  keepalive,
});

const dataOf = async (response: Response): Promise<unknown> => {
  const { data } = (await response.json()) as { readonly data: unknown }; // the envelope of every success
  return data;
};

/** @param server origin of the platform, such as https://voice.example.com */
export const platformAt = (server: string, widgetId: string): Platform => {
  const base = new URL(`/api/v1/public/widgets/${encodeURIComponent(widgetId)}/`, server);
  // Answers are the platform's own and have the shapes of its contract.
  return {
    config: async (signal) =>
      (await dataOf(await request(new URL('config', base), {}, signal))) as WidgetConfig,
    open: async (wish, signal) =>
      (await dataOf(await request(new URL('sessions', base), post(wish), signal))) as Session,
    end: async ({ sessionId, endToken }, reason) => {
      const url = new URL(`sessions/${sessionId}/end`, base);
      const data = await dataOf(await request(url, post({ endToken, reason }, true)));
      return (data as { readonly durationSeconds?: number }).durationSeconds;
    },
    say: async ({ sessionId, endToken, messagesUrl }, text, signal) => {
      const url = new URL(messagesUrl ?? `sessions/${sessionId}/messages`, messagesUrl ? server : base);
      const { body } = await request(url, post({ endToken, text }), signal);
      if (body === null) throw new Refusal('SERVICE_UNAVAILABLE', 'The answer had no body.');
      return body;
    },
  };
};
