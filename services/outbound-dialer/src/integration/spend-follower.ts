// Settles reservations when the streams of outbound calls tell that attempts are answered and end. Checkpoint and
// ledger are one transaction, so that each end counts once despite crashes. No read model: a rebuild leaves the ledger
// alone.
import {
  type EventStoreConnection,
  type Projector,
  postgresProjector,
  type Recorded,
} from '@parlance/event-sourcing';
import type { Clock, Logger } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import type { CrashPoints } from '../attempt/crash-points.js';
import { type OutboundCallEvent, outboundCallEvents } from '../domain/outbound-call/outbound-call-events.js';
import { settleHeld } from '../ledger/ledger.js';
import { lockLedgersOf, openCallsOf, saveOpenCalls } from '../ledger/open-calls.js';
import { followCalls } from '../ledger/settling.js';
import { outboundCallCategory } from '../repositories/outbound-call-repository.js';

type Batch = readonly Recorded<OutboundCallEvent>[];

/** Name of the checkpoint: under a new one, all reservations would be settled again. */
export const spendFollowerId = 'spend';

/** Events that say nothing about money. */
const silent: ReadonlySet<OutboundCallEvent['type']> = new Set<OutboundCallEvent['type']>([
  'OutboundCallPlaced',
  'AttemptStarted',
  'AttemptInDoubt',
  'AttemptAdopted',
  'OutboundCallRetried',
]);

/** The same events may be given again: a settled reservation is not open any more, so it counts once. */
export const settleFromStreams = async (tx: Tx, batch: Batch, now: Date): Promise<void> => {
  const events = batch.filter(({ event }) => !silent.has(event.type));
  const ids = [...new Set(events.map(({ entityId }) => entityId))];
  // A reservation is older than the events that settle it, so a reservation that is missing here is not needed.
  const organizationIds = ids.length === 0 ? [] : await lockLedgersOf(tx, ids);
  if (organizationIds.length === 0) return;
  const open = await openCallsOf(tx, organizationIds, ids);
  const { changed, settled } = followCalls(open, events);
  await saveOpenCalls(tx, changed);
  const ownerOf = new Map(open.map(({ subject, organizationId }) => [subject, organizationId]));
  for (const organizationId of organizationIds) {
    const own = settled.filter(({ subject }) => ownerOf.get(subject) === organizationId);
    await settleHeld(tx, organizationId, own, now);
  }
};

export interface FollowerParts {
  readonly db: Database;
  readonly eventStore: EventStoreConnection;
  readonly clock: Clock;
  readonly crash: CrashPoints;
  readonly logger: Logger;
}

/** Starts at once. */
export const startSpendFollower = ({ db, eventStore, clock, crash, logger }: FollowerParts): Projector =>
  postgresProjector({
    ...{
      id: spendFollowerId,
      category: outboundCallCategory,
      codec: outboundCallEvents,
      db,
      eventStore,
      logger,
    },
    personal: false,
    handleBatch: async (tx, batch) => {
      await settleFromStreams(tx, batch, clock.now());
      crash.at('spend.beforeSettled');
    },
  });
