// Work that comes back all the time, such as mending leftovers or deleting old rows. One loop serves all of it, so that
// every such part starts, fails and stops alike.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logging/logger.js';
import type { RunningPart } from './running.js';

export interface RoundsOptions {
  /** The name that a person reads when a round fails or does not stop. */
  readonly name: string;
  /** The pause from the end of one round to the start of the next, in ms. */
  readonly everyMs: number;
  /** The pause after a failed round, in ms, where that is shorter (60 s). */
  readonly againAfterMs?: number;
  /** The pause before the first round, in ms (0). */
  readonly firstAfterMs?: number;
  /** One round. It should look at `stopping` between two pieces of work; its errors are logged. */
  readonly round: (stopping: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
}

/**
 * Runs one round after the other, never two at once, until it is stopped. A round that fails is logged, shows as
 * trouble of the part, and the next one tries again. Stopping waits for the round that runs.
 */
export const startRounds = ({
  name,
  everyMs,
  againAfterMs = 60_000,
  firstAfterMs = 0,
  round,
  logger,
}: RoundsOptions): RunningPart => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  let hasFailed = false;
  const loop = async (): Promise<void> => {
    await wait(firstAfterMs);
    while (!signal.aborted) {
      try {
        await round(signal);
        hasFailed = false;
      } catch (err) {
        hasFailed = true;
        logger.warn({ err, part: name }, 'a round has to wait');
      }
      await wait(hasFailed ? Math.min(everyMs, againAfterMs) : everyMs);
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
