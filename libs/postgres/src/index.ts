export { eventStreamName } from '@parlance/messaging';
export { type Announcing, announce } from './announce.js';

export { changeAndAnnounce } from './announced-change.js';
export { Attempts } from './attempts.js';

export { BrokerLink } from './broker-link.js';
export {
  type Broker,
  type Loss,
  lossOf,
  readBroker,
  type StoredBroker,
  unsyncedWindow,
} from './broker-loss.js';
export { type ConsumedEvent, type Consumer, type ConsumerOptions, startConsumer } from './consumer.js';
export { observeConsumers } from './consumer-gauges.js';
export { type CursorPosition, type CursorScope, Cursors, type Keyset, wholeList } from './cursors.js';
export {
  administer,
  createDatabase,
  Database,
  type DatabaseOptions,
  isUnavailable,
} from './database.js';
export { isStatementTimeout, isUniqueViolation, translateDatabaseError } from './database-errors.js';
export { deleteOldEndedCalls, endedCallsGatherMs, noteEndedCall, refuseEndedCall } from './ended-calls.js';
export type { EventSeals } from './event-seals.js';
export {
  type EventStream,
  ensureEventStream,
  eventRetentionMs,
  type OutgoingMessage,
  publishMessage,
} from './event-stream.js';
export { type FairTurns, forgetTurns, joinedTurns, turnTaken } from './fair-turns.js';
export { deleteInPieces, deleteOfOrganization, type OldRows, updateInPieces } from './in-pieces.js';
export { countParked, countParkedMessages } from './inbox.js';
export { agreeOnKeys, refuseOtherRootSecret, storedFingerprints } from './key-agreement.js';
export { inLocked, type LockedRows, lockedRows } from './locked-rows.js';
export { type MigrateOptions, migrate } from './migrate.js';
export {
  type Closure,
  closeOrganization,
  isCleared,
  isRemoved,
  noteRemoval,
  refuseClosed,
  removedAmong,
  reopenOrganization,
} from './organization-closures.js';
export { addToOutbox, messageOf, type Outgoing, outgoing } from './outbox.js';
export { type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.js';
export { provisionService, type ServiceAccount, shadowSchemaOf } from './provision.js';
export { type RemovalsOptions, startRemovals } from './removals.js';
export { readSchemaState, type SchemaState } from './schema-state.js';
export type { Lock, Unlisten } from './session.js';
export { allowStatistics, mayCallStatistics, provisionStatistics, statisticsSchema } from './statistics.js';
export { StoredForm, type StoredFormOptions } from './stored-form.js';
export type { TransactionOptions } from './transaction.js';
export { type QueryResult, queryAtCommit, type Statement, type Tx } from './tx.js';
export { Waker } from './waker.js';
export { whenReachable } from './when-reachable.js';
