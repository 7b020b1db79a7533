// The requests of a conversation to the platform.
import { Refusal } from './refusal.js';
import { addressOf, dataOf, request } from './request.js';
import type { Session, SessionWish } from './shapes.js';

export interface Platform {
  open(wish: SessionWish, signal: AbortSignal): Promise<Session>;
  /** Ends a session, also while the page is being left. @returns seconds that it lasted, if the platform told */
  end(session: Session, reason: string): Promise<number | undefined>;
  /** Sends a message of a text conversation. @returns the body of the answer, a stream of events */
  say(session: Session, text: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/** An agent may run a tool for a minute before its first word; the platform gives up after 90 s. */
const firstWordsWithinMs = 95_000;

const post = (body: unknown, keepalive = false): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  keepalive,
});

/** @param server origin of the platform, such as https://voice.example.com */
export const platformAt = (server: string, widgetId: string): Platform => {
  const base = addressOf(server, widgetId);
  // Answers are the platform's own and have the shapes of its contract.
  return {
    open: async (wish, signal) =>
      (await dataOf(await request(new URL('sessions', base), post(wish), signal))) as Session,
    end: async ({ sessionId, endToken }, reason) => {
      const url = new URL(`sessions/${sessionId}/end`, base);
      const data = await dataOf(await request(url, post({ endToken, reason }, true)));
      return (data as { readonly durationSeconds?: number }).durationSeconds;
    },
    say: async ({ sessionId, endToken, messagesUrl }, text, signal) => {
      const url = new URL(messagesUrl ?? `sessions/${sessionId}/messages`, messagesUrl ? server : base);
      const { body } = await request(url, post({ endToken, text }), signal, firstWordsWithinMs);
      if (body === null) throw new Refusal('SERVICE_UNAVAILABLE', 'The answer had no body.');
      return body;
    },
  };
};
