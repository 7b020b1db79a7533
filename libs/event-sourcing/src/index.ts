export { type CategorySubscriptionOptions, categoryBatches } from './category-subscription.js';
export { type Followed, untilCaughtUp } from './caught-up.js';
export { CheckpointMoved } from './checkpoints.js';
export {
  type Codec,
  defineEvents,
  type Encoded,
  type EventDefinition,
  type EventOf,
  type EventsOf,
  type Stored,
  type StoredParts,
  type Upcaster,
} from './codec.js';
export { type Collections, CurrentCollections, dropCopies } from './collections.js';
export {
  type CommandHandler,
  type CommandHandlerParts,
  commandHandler,
  type Handled,
  type HandleOptions,
  type RecentStandings,
  type Standing,
} from './command-handler.js';
export { type Decider, fold, type Message } from './decider.js';
export { type EventPublisherOptions, startEventPublisher } from './event-publisher.js';
export { type EventStore, entityOf, eventId, type Recorded, streamOf } from './event-store.js';
export {
  connectEventStore,
  EventStoreConnection,
  type EventStoreOptions,
  type PersonalParts,
} from './event-store-connection.js';
export {
  type ClusterNode,
  clusterNodes,
  type StoreAddress,
  storeAddress,
} from './eventstoredb/cluster.js';
export { type NodeDisk, nodeDisk } from './eventstoredb/node-disk.js';
export { type EventMeta, EventMetadata } from './metadata.js';
export type { HandlerTools, Projector, SubscriberOptions } from './projector.js';
export {
  type MongoProjectorOptions,
  mongoProjector,
  type PostgresProjectorOptions,
  postgresProjector,
  prepareEach,
  type Writes,
} from './projectors.js';
export { appendCopies, CopiedEvent } from './raw-appends.js';
export {
  allEvents,
  headOf,
  newestEvents,
  newestOfStream,
  oldestAhead,
  rawStream,
} from './raw-reads.js';
export {
  type MongoReadModel,
  type PostgresReadModel,
  type ReadModel,
  type ReadModelEngines,
  startReadModel,
} from './read-model.js';
export { type RebuildOptions, type RebuildProgress, type Rebuilt, rebuildReadModel } from './rebuild.js';
export { type ReplayedStream, replayParked } from './replay.js';
export type { Appended, CategorySubscription, RawEvent, Revision, StoreDriver } from './store/driver.js';
export { StoreUnavailable, WrongRevision } from './store/failures.js';
export { checkEventStore } from './store-check.js';
