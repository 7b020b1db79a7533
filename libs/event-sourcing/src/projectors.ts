// Read models. In Postgres the rows and the checkpoint are one transaction. In MongoDB the stream's revision guards every
// write, so that a second write of the same event does nothing.
import type { Database, Tx } from '@parlance/postgres';
import { mongoGuard } from '@parlance/postgres/mongo';
import type { Db } from 'mongodb';
import { type Collections, collectionsOf } from './collections.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import type { EventStoreConnection } from './event-store-connection.js';
import type { HandlerTools, Projector, SubscriberOptions, Work } from './projector.js';
import { sharedTransactions } from './shared-transactions.js';
import { Subscriber } from './subscriber.js';

/** Writes in Postgres. May be run again in another transaction after the first was rolled back. */
export type Writes = (tx: Tx) => Promise<void>;

/** Writes the effect of events, each once, in the order of the store. */
export type PostgresHandler<E extends Message> =
  | { readonly handle: (tx: Tx, recorded: Recorded<E>) => Promise<void> }
  /** The handler of a read model that is written faster many rows at a time. */
  | {
      readonly handleBatch: (tx: Tx, events: readonly Recorded<E>[], tools: HandlerTools) => Promise<void>;
    }
  /**
   * The handler of work that needs other services or streams first, which no transaction may wait for. Undefined where there
   * is nothing to write.
   */
  | { readonly prepare: (events: readonly Recorded<E>[]) => Promise<Writes | undefined> };

/** A `prepare` that takes the events one after the other, and writes the effects of all of them in one transaction. */
export const prepareEach =
  <E extends Message>(prepare: (recorded: Recorded<E>) => Promise<Writes | undefined>) =>
  async (events: readonly Recorded<E>[]): Promise<Writes | undefined> => {
    const effects: Writes[] = [];
    for (const recorded of events) {
      const effect = await prepare(recorded);
      if (effect !== undefined) effects.push(effect);
    }
    if (effects.length === 0) return undefined;
    return async (tx) => {
      for (const effect of effects) await effect(tx);
    };
  };

export type PostgresProjectorOptions<E extends Message> = SubscriberOptions<E> & PostgresHandler<E>;

interface Engines {
  readonly db: Database;
  readonly eventStore: EventStoreConnection;
}

const toolsOf = ({ db, eventStore }: Engines): HandlerTools => ({
  db,
  // Looked up when it is used: a read model without personal parts needs no keys.
  get personalData() {
    return eventStore.personalData;
  },
});

const writesOf = async <E extends Message>(
  handler: PostgresHandler<E>,
  events: readonly Recorded<E>[],
  engines: Engines,
): Promise<Writes | undefined> => {
  if ('prepare' in handler) return handler.prepare(events);
  if ('handleBatch' in handler) return (tx) => handler.handleBatch(tx, events, toolsOf(engines));
  return async (tx) => {
    for (const recorded of events) await handler.handle(tx, recorded);
  };
};

/**
 * Rows and checkpoint in one transaction, which other followers of the same database may share. The checkpoint comes first,
 * because a swap of the read model waits for it.
 */
export const postgresWork =
  <E extends Message>(engines: Engines, handler: PostgresHandler<E>): Work<E> =>
  async (events, { advance, move, limitMs }) => {
    const write = await writesOf(handler, events, engines);
    if (write === undefined && move !== undefined) return 'passed over';
    if (write !== undefined && move !== undefined && limitMs === undefined)
      await sharedTransactions(engines.db).commit({ move, advance, write });
    else
      await engines.db.transaction(
        async (tx) => {
          await advance(tx);
          await write?.(tx);
        },
        limitMs === undefined ? {} : { timeoutMs: limitMs },
      );
    return 'advanced';
  };

/** Starts at once; `stop` lets the batch in hand finish. */
export const postgresProjector = <E extends Message>(options: PostgresProjectorOptions<E>): Projector =>
  new Subscriber(options, postgresWork(options, options));

/** May be given events again: a write must do nothing when the document has their revision or a later one. */
export type MongoHandler<E extends Message> =
  /** Is given consecutive events of one stream, in order. */
  | { readonly handle: (collections: Collections, events: readonly Recorded<E>[]) => Promise<void> }
  /** Is given events of many streams, for documents that are written faster many at a time. */
  | {
      readonly handleBatch: (
        collections: Collections,
        events: readonly Recorded<E>[],
        tools: HandlerTools,
      ) => Promise<void>;
    };

export type MongoProjectorOptions<E extends Message> = SubscriberOptions<E> &
  MongoHandler<E> & { readonly mongo: Db };

/** Streams of one batch that are written side by side. */
const streamsAtOnce = 16;

/** Hands over the events of each stream together, and different streams side by side. */
const perStream = async <E extends Message>(
  events: readonly Recorded<E>[],
  handle: (events: readonly Recorded<E>[]) => Promise<void>,
): Promise<void> => {
  const streams = new Map<string, Recorded<E>[]>();
  for (const recorded of events) {
    const own = streams.get(recorded.stream);
    if (own === undefined) streams.set(recorded.stream, [recorded]);
    else own.push(recorded);
  }
  const waiting = [...streams.values()];
  const worker = async (): Promise<void> => {
    for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) await handle(own);
  };
  // Every worker is waited for, so that none still writes when the caller starts over.
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(streamsAtOnce, waiting.length) }, worker),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};

/** The checkpoint, in Postgres, follows the writes; after a crash in between they happen again. */
export const mongoWork =
  <E extends Message>(engines: Engines, mongo: Db, handler: MongoHandler<E>): Work<E> =>
  async (events, { generation, advance }) => {
    const collections = collectionsOf(mongo, generation);
    await mongoGuard(() =>
      'handleBatch' in handler
        ? handler.handleBatch(collections, events, toolsOf(engines))
        : perStream(events, (own) => handler.handle(collections, own)),
    );
    await advance(engines.db);
    return 'advanced';
  };

/** Starts at once. */
export const mongoProjector = <E extends Message>(options: MongoProjectorOptions<E>): Projector =>
  new Subscriber(options, mongoWork(options, options.mongo, options), {
    checkStore: () => options.mongo.command({ ping: 1 }),
  });
