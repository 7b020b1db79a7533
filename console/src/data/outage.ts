// What the page tells while the platform is away: the client repeats its requests after the time that the answer names.
import { createStore } from './store.js';

export interface Outage {
  /** Epoch milliseconds of the next try. */
  readonly nextTryAt: number;
}

export const outage = createStore<Outage | undefined>(undefined);

const shortestMs = 1_000;

/** Seconds of Retry-After as milliseconds; a second where the answer names none. */
export const waitOf = (retryAfter: string | null): number =>
  Math.max(shortestMs, /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : shortestMs);

/** `fetch`, which notes when the platform is away and when it is back. */
export const watchedFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await globalThis.fetch(input, init);
  if (response.status === 503) {
    outage.set({ nextTryAt: Date.now() + waitOf(response.headers.get('retry-after')) });
  } else if (response.status < 500) outage.set(undefined);
  return response;
};
