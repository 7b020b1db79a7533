// Checks for readiness reports that the event store serves the reads that the platform needs.
import { ShownReason } from '@parlance/observability';
import type { EventStoreConnection } from './event-store-connection.js';
import { headOf } from './raw-reads.js';
import { StoreUnavailable } from './store/failures.js';

/**
 * Resolves when streams and the stream of all events can be read.
 * @throws ShownReason where the reason is known; StoreUnavailable for any other outage
 */
export const checkEventStore = async (store: EventStoreConnection): Promise<void> => {
  try {
    await store.ping();
    await headOf(store);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const refused = error.isNodeMissing ? await store.driver.refusedCertificate() : undefined;
    const reason = refused ?? error.reason;
    throw reason === undefined ? error : new ShownReason(reason, { cause: error });
  }
};
