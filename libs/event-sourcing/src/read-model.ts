// A read model as its service declares it, once: its categories, its handler and its tables or collections. From the
// declaration it can be followed, made anew beside itself, and helped on after a poison event.
import type { Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { mongoGuard } from '@parlance/postgres/mongo';
import type { Db } from 'mongodb';
import type { Codec } from './codec.js';
import { type Collections, collectionsOf, turnReadersTo } from './collections.js';
import type { Message } from './decider.js';
import type { EventStoreConnection } from './event-store-connection.js';
import type { OpenedParts, Projector, SubscriberHooks, Work } from './projector.js';
import { type MongoHandler, mongoWork, type PostgresHandler, postgresWork } from './projectors.js';
import { Subscriber } from './subscriber.js';

interface Followed<E extends Message> {
  /** Name of the checkpoint; a new name starts from the first event. */
  readonly id: string;
  readonly category: string;
  readonly codec: Codec<E>;
  /** The personal parts that it needs; all of them unless given. */
  readonly personal?: OpenedParts;
  /** Types of the events that it is made of; all of them unless given. */
  readonly about?: readonly E['type'][];
}

export type PostgresReadModel<E extends Message> = Followed<E> &
  PostgresHandler<E> & {
    /**
     * All tables that it writes, none of which anything else writes. Statements name them without a schema. No foreign
     * key, trigger or view may hang on them.
     */
    readonly tables: readonly string[];
  };

export type MongoReadModel<E extends Message> = Followed<E> &
  MongoHandler<E> & {
    /** All collections that it writes. No name is another's with a number behind it. */
    readonly collections: readonly string[];
    /** Makes the indexes of a copy; is run again and again. */
    readonly prepare: (collections: Collections) => Promise<void>;
  };

export type ReadModel<E extends Message> = PostgresReadModel<E> | MongoReadModel<E>;

/** The engines of a read model: those of its service. */
export interface ReadModelEngines {
  readonly db: Database;
  readonly eventStore: EventStoreConnection;
  readonly logger: Logger;
  /** Needed by read models in MongoDB. */
  readonly mongo?: Db | undefined;
}

/** @throws Error for a read model in MongoDB without one: a mistake of the service */
export const mongoOf = ({ mongo }: ReadModelEngines): Db => {
  if (mongo === undefined) throw new Error('a read model in MongoDB needs a connection to it');
  return mongo;
};

export const workOf = <E extends Message>(model: ReadModel<E>, engines: ReadModelEngines): Work<E> =>
  'tables' in model ? postgresWork(engines, model) : mongoWork(engines, mongoOf(engines), model);

export interface FollowOptions extends SubscriberHooks {
  readonly batchSize?: number;
}

/** Follows the streams into the copy that the checkpoint in `engines.db` names. */
export const follow = <E extends Message>(
  model: ReadModel<E>,
  engines: ReadModelEngines,
  { batchSize, ...hooks }: FollowOptions = {},
): Subscriber<E> => {
  const { id, category, codec, personal = true, about } = model;
  const { db, eventStore, logger } = engines;
  const given = {
    ...(batchSize === undefined ? {} : { batchSize }),
    ...(about === undefined ? {} : { about }),
  };
  const options = { id, category, codec, personal, db, eventStore, logger, ...given };
  return new Subscriber(options, workOf(model, engines), {
    ...hooks,
    ...('collections' in model ? { checkStore: () => mongoOf(engines).command({ ping: 1 }) } : {}),
    onActive: async (generation) => {
      if ('collections' in model)
        await mongoGuard(() => model.prepare(collectionsOf(mongoOf(engines), generation)));
      await hooks.onActive?.(generation);
    },
  });
};

/** Keeps a read model up to date. Starts at once; `stop` lets the batch in hand finish. */
export const startReadModel = <E extends Message>(
  model: ReadModel<E>,
  engines: ReadModelEngines,
): Projector =>
  follow(model, engines, {
    onActive: async (generation) => {
      // Also mends an unfinished swap whose process was killed right after its commit.
      if ('collections' in model) await turnReadersTo(mongoOf(engines), model.id, generation);
    },
  });
