// Work that comes back all the time, such as mending leftovers or deleting old rows. One loop serves all of it, so that
// every such part starts, fails and stops alike.
import type { Activity } from './activity.js';
import type { Logger } from './logging/logger.js';
import type { RunningPart } from './running.js';

export interface RoundsOptions {
  /** The name that a person reads when a round fails or does not stop. */
  readonly name: string;
  /** The pause from the end of one round to the start of the next, in ms. */
  readonly everyMs: number;
  /**
   * Where the work comes from writes of this process, the database's activity: a quiet process pauses for `quietEveryMs`, until the
   * next write. That pause bounds how late the work of a replica that died, or work deferred for more than a minute, is done.
   */
  readonly activity?: Activity;
  /** In ms, where that is longer than `everyMs` (15 s). */
  readonly quietEveryMs?: number;
  /** The pause after a failed round, in ms, where that is shorter (60 s). */
  readonly againAfterMs?: number;
  /** The pause before the first round, in ms (0). */
  readonly firstAfterMs?: number;
  /** One round. It should look at `stopping` between two pieces of work; its errors are logged. */
  readonly round: (stopping: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
}

/** Ends early at an abort, and keeps no process alive. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const resume = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', resume);
      resolve();
    };
    const timer = setTimeout(resume, ms).unref();
    signal.addEventListener('abort', resume);
  });

/**
 * Runs one round after the other, never two at once, until it is stopped. A round that fails is logged, shows as
 * trouble of the part, and the next one tries again. Stopping waits for the round that runs.
 */
export const startRounds = ({
  name,
  everyMs,
  activity,
  quietEveryMs = 15_000,
  againAfterMs = 60_000,
  firstAfterMs = 0,
  round,
  logger,
}: RoundsOptions): RunningPart => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let hasFailed = false;
  const loop = async (): Promise<void> => {
    await pause(firstAfterMs, signal);
    while (!signal.aborted) {
      try {
        await round(signal);
        hasFailed = false;
      } catch (err) {
        hasFailed = true;
        logger.warn({ err, part: name }, 'a round has to wait');
      }
      await pause(hasFailed ? Math.min(everyMs, againAfterMs) : everyMs, signal);
      if (!hasFailed) await activity?.whileQuiet(quietEveryMs - everyMs, signal);
    }
  };
  const done = loop();
  return {
    name,
    trouble: () => (hasFailed ? 'the last round failed' : undefined),
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
};
