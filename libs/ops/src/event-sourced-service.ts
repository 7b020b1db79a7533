// A service that keeps streams, as seen from the command line: its engines, from its own variables, and its read models.
import {
  baseEnv,
  cryptoEnv,
  type EnvSource,
  erasureLogEnv,
  eventStoreEnv,
  loadEnv,
  mongoEnv,
  objectStorageEnv,
  postgresEnv,
} from '@parlance/config';
import type { ServiceName } from '@parlance/contracts';
import {
  createPersonalData,
  keyringOf,
  type PersonalData,
  pgSubjectKeys,
  unwrapKeks,
} from '@parlance/crypto';
import {
  type AppliedErasures,
  applyFromOutside,
  type Erasure,
  Erasures,
  openErasureLog,
} from '@parlance/erasure';
import {
  connectEventStore,
  type EventStoreConnection,
  type Message,
  type PersonalParts,
  type ReadModel,
  type ReadModelEngines,
  type RebuildOptions,
  type Rebuilt,
  type ReplayedStream,
  rebuildReadModel,
  replayParked,
  startReadModel,
  untilCaughtUp,
} from '@parlance/event-sourcing';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, type DatabaseOptions } from '@parlance/postgres';
import { connectMongo } from '@parlance/postgres/mongo';
import { z } from 'zod';
import type { ServiceCommand } from './service-command.js';

const Env = z.object({ ...baseEnv, ...postgresEnv, ...eventStoreEnv, ...cryptoEnv });
const EnvWithMongo = Env.extend(mongoEnv);
const EnvOfErasures = Env.extend({ ...objectStorageEnv, ...erasureLogEnv });

export interface ServiceReadModel {
  readonly id: string;
  /** The tables of the read model in Postgres; none for a read model of documents. */
  readonly tables: readonly string[];
  /**
   * Lets it read on to the newest event, where no process of its service does so.
   * @throws AppError SERVICE_UNAVAILABLE when an engine is away, or it has not come there in ten minutes
   */
  catchUp(variables: EnvSource): Promise<void>;
  /** @throws as `rebuildReadModel` */
  rebuild(
    variables: EnvSource,
    options: Pick<RebuildOptions, 'onProgress' | 'signal' | 'graceMs'>,
  ): Promise<Rebuilt>;
  /** @throws as `replayParked` */
  replay(variables: EnvSource): Promise<readonly ReplayedStream[]>;
}

/** The opened streams of a service and its database, for further questions about its events. */
export interface OpenedStreams {
  readonly eventStore: EventStoreConnection;
  readonly personalData: PersonalParts;
  readonly db: Database;
}

/** What an erasure works on, in the service and on the command line. */
export interface ErasureEngines extends ReadModelEngines {
  readonly personalData: PersonalData;
  /** Undefined where no object storage is configured. */
  readonly storage: ObjectStorage | undefined;
}

/**
 * Erases again what is left of these in the stores of the service. It has the duties of an `ErasureApplier` of
 * `@parlance/erasure`.
 */
export type ApplyErasures = (engines: ErasureEngines, erasures: readonly Erasure[]) => Promise<void>;

/** The erasures of a service, for a time in which it does not run. */
export interface ServiceErasures {
  /**
   * Applies the log of erasures to the databases of the service.
   * @param since given: applies all that was written since then, also what the database has applied
   */
  apply(variables: EnvSource, since?: Date): Promise<AppliedErasures>;
}

export interface EventSourcedService {
  readonly service: ServiceName;
  /** First part of the names of its streams. */
  readonly categories: readonly string[];
  readonly readModels: readonly ServiceReadModel[];
  /** Further commands of the operators for the service, by name. */
  readonly commands?: Readonly<Record<string, ServiceCommand>>;
  /** Absent where the service logs no erasures. */
  readonly erasures?: ServiceErasures;
  /** @throws ConfigError when a variable is missing */
  withStreams<T>(variables: EnvSource, work: (streams: OpenedStreams) => Promise<T>): Promise<T>;
}

interface Opened {
  readonly engines: ReadModelEngines;
  readonly personalData: PersonalData;
  readonly database: DatabaseOptions;
}

const withEngines = async <T>(
  service: ServiceName,
  variables: EnvSource,
  { needsMongo }: { readonly needsMongo: boolean },
  work: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const env = await unwrapKeks(loadEnv(Env.meta({ process: service }), variables));
  const mongoVariables = needsMongo ? loadEnv(EnvWithMongo, variables) : undefined;
  const name = `${service}-tool`;
  const database = { url: env.POSTGRES_URL, applicationName: name, max: 4 };
  const db = createDatabase(database);
  const personalData = createPersonalData({
    keyring: keyringOf(env),
    store: pgSubjectKeys(db),
  });
  const eventStore = connectEventStore({ url: env.EVENTSTORE_URL, name, personalData });
  const mongo =
    mongoVariables &&
    connectMongo({
      url: mongoVariables.MONGODB_URL,
      appName: name,
      database: mongoVariables.MONGODB_DATABASE,
    });
  const logger = createLogger({ service: name, level: 'warn' });
  try {
    return await work({ engines: { db, eventStore, logger, mongo: mongo?.db }, personalData, database });
  } finally {
    await Promise.all([eventStore.close(), mongo?.close(), db.end()]);
  }
};

const longestCatchUpMs = 600_000;

const catchUp = async <E extends Message>(model: ReadModel<E>, engines: ReadModelEngines): Promise<void> => {
  const running = startReadModel(model, engines);
  try {
    await untilCaughtUp(
      { ...engines, id: model.id, category: model.category },
      { timeoutMs: longestCatchUpMs },
    );
  } finally {
    await running.stop();
  }
};

const readModelOf = <E extends Message>(service: ServiceName, model: ReadModel<E>): ServiceReadModel => {
  const needs = { needsMongo: 'collections' in model };
  return {
    id: model.id,
    tables: 'tables' in model ? model.tables : [],
    catchUp: (variables) => withEngines(service, variables, needs, ({ engines }) => catchUp(model, engines)),
    rebuild: (variables, options) =>
      withEngines(service, variables, needs, ({ engines, database }) =>
        rebuildReadModel(model, engines, { database, ...options }),
      ),
    replay: (variables) =>
      withEngines(service, variables, needs, ({ engines }) => replayParked(model, engines)),
  };
};

const erasuresOf = (
  service: ServiceName,
  needs: { readonly needsMongo: boolean },
  applyErasures: ApplyErasures,
): ServiceErasures => ({
  apply: (variables, since) =>
    withEngines(service, variables, needs, async ({ engines, personalData }) => {
      const env = loadEnv(EnvOfErasures, variables);
      const storage = connectObjectStorage(env);
      const log = openErasureLog({ service, storage, directory: env.ERASURE_LOG_DIR });
      const erasures = new Erasures({ log, db: engines.db, logger: engines.logger });
      const apply = (pieces: readonly Erasure[]): Promise<void> =>
        applyErasures({ ...engines, personalData, storage }, pieces);
      try {
        return await applyFromOutside(erasures, apply, since);
      } finally {
        storage?.close();
      }
    }),
});

/**
 * Declares the read models and commands of a service that can be worked on from outside. Its read models may be of
 * different categories.
 */
export const eventSourcedService = <E extends readonly Message[]>(definition: {
  readonly service: ServiceName;
  readonly readModels: { readonly [I in keyof E]: ReadModel<E[I]> };
  readonly commands?: Readonly<Record<string, ServiceCommand>>;
  readonly applyErasures?: ApplyErasures;
}): EventSourcedService => {
  const { service, readModels, commands = {}, applyErasures } = definition;
  const needs = { needsMongo: readModels.some((model) => 'collections' in model) };
  return {
    service,
    commands,
    ...(applyErasures === undefined ? {} : { erasures: erasuresOf(service, needs, applyErasures) }),
    categories: [...new Set(readModels.map(({ category }) => category))],
    readModels: readModels.map((model) => readModelOf(service, model)),
    withStreams: (variables, work) =>
      withEngines(service, variables, { needsMongo: false }, ({ engines, personalData }) =>
        work({ eventStore: engines.eventStore, personalData, db: engines.db }),
      ),
  };
};
