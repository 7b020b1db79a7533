// A question that needs a true answer from a read model waits here until the read model has caught up.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import type { Database } from '@parlance/postgres';
import { loadCheckpoint } from './checkpoints.js';
import type { EventStoreConnection } from './event-store-connection.js';
import { headOf, isQuiet } from './raw-reads.js';

export interface Followed {
  readonly db: Database;
  readonly eventStore: EventStoreConnection;
  /** Name of the projection. */
  readonly id: string;
  readonly category: string;
}

const firstPauseMs = 10;
const longestPauseMs = 200;

/**
 * Waits for the events of the category that were recorded before this request. Resolves when the projection, in any copy
 * of the service, has dealt with every one of them.
 * @throws AppError SERVICE_UNAVAILABLE when it has not in time
 */
export const untilCaughtUp = async (
  { db, eventStore, id, category }: Followed,
  { timeoutMs = 2_000 }: { readonly timeoutMs?: number } = {},
): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  const upTo = await headOf(eventStore);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const { position: after } = await loadCheckpoint(db, id);
    if (await isQuiet(eventStore, category, { after, upTo })) return;
    if (performance.now() > deadline)
      throw new AppError('SERVICE_UNAVAILABLE', {
        retryAfterSeconds: 1,
        cause: new Error(`${id} is behind the events of ${category}`),
      });
    await delay(pauseMs);
  }
};
