// The one rule of asking again and again: live events say when to ask, and a clock stands in for them.
import { createStore, useStore } from './store.js';

/** True while this browser hears live events, in whichever of its tabs. */
export const hearsEvents = createStore(false);

/** Beside live events, a look comes this often. It finds changes that no event tells, such as a price that settles after a call ends. */
const besideEventsMs = 15_000;

/**
 * Milliseconds until an answer is asked again; undefined: never.
 * @param everyMs without live events
 * @param isTold true where a live event tells each change of the answer
 */
export const paceOf = (everyMs: number | undefined, hears: boolean, isTold = false): number | undefined => {
  if (everyMs === undefined || !hears) return everyMs;
  return isTold ? undefined : Math.max(everyMs, besideEventsMs);
};

/** The pace as React Query takes it. */
export const usePace = (everyMs: number | undefined, isTold = false): number | false =>
  paceOf(everyMs, useStore(hearsEvents), isTold) ?? false;
