// Checks for readiness reports that the event store serves the reads that the platform needs.
import { ShownReason } from '@parlance/observability';
import type { EsdbEventStore } from './esdb-event-store.js';
import { headOf } from './raw-reads.js';
import { causeOf, isFoundNone } from './store-causes.js';

/**
 * Resolves when streams and the stream of all events can be read.
 * @throws ShownReason where the cause is known; AppError SERVICE_UNAVAILABLE for an outage
 */
export const checkEventStore = async (store: EsdbEventStore): Promise<void> => {
  try {
    await store.ping();
    await headOf(store);
  } catch (error) {
    const cause =
      (isFoundNone(error) ? causeOf(await store.certificateError()) : undefined) ?? causeOf(error);
    throw cause === undefined ? error : new ShownReason(cause, { cause: error });
  }
};
