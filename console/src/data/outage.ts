// The state of the page while the platform is away. The client repeats its requests after the time that the answer names. In between,
// the page asks whether the platform is back.
import { noteDate } from './clock.js';
import { createStore } from './store.js';

export interface Outage {
  /** busy: the platform answers that it cannot serve now. unreached: no answer comes at all. */
  readonly kind: 'busy' | 'unreached';
  /** The next try, by `performance.now()`: that clock is never set back. */
  readonly nextTryAt: number;
  /** When it was seen last, by the same clock. */
  readonly seenAt: number;
}

export const outage = createStore<Outage | undefined>(undefined);

const shortestMs = 1_000;
const unreachedMs = 5_000;

/** Seconds of Retry-After as milliseconds; a second where the answer names none. */
export const waitOf = (retryAfter: string | null): number =>
  Math.max(shortestMs, /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : shortestMs);

/** No answer came, or the browser has told that it is offline. */
export const noteUnreached = (): void => note('unreached', unreachedMs);

const note = (kind: Outage['kind'], waitMs: number): void => {
  const seenAt = performance.now();
  outage.set({ kind, nextTryAt: seenAt + waitMs, seenAt });
};

/** The answer to a request that was sent before the outage tells nothing about it. */
const noteAnswer = (sentAt: number): void => {
  const away = outage.get();
  if (away !== undefined && sentAt >= away.seenAt) outage.set(undefined);
};

/** `fetch`, which notes the platform's time, when the platform is away and when it is back. */
export const watchedFetch: typeof globalThis.fetch = async (input, init) => {
  const sentAt = performance.now();
  const sentAtDate = Date.now();
  let response: Response;
  try {
    response = await globalThis.fetch(input, init);
  } catch (error) {
    // A request that the page has given up says nothing about the platform.
    if (error instanceof TypeError) noteUnreached();
    throw error;
  }
  noteDate(response.headers.get('date'), sentAtDate, Date.now());
  if (response.status === 503) note('busy', waitOf(response.headers.get('retry-after')));
  else if (response.status < 500) noteAnswer(sentAt);
  return response;
};
