// Boots a service: telemetry, database and its migrations, NATS, the handlers, readiness. And ends it in the order in
// which nothing is lost: no new requests, then the background parts, then the connections.
import type { DynamicModule, Provider } from '@nestjs/common';
import { type Caller, consumersOf, type ServiceName, stopLimitMsOf } from '@parlance/contracts';
import { messagesParked, observe } from '@parlance/metrics';
import {
  type Clock,
  createLogger,
  type Ids,
  type Logger,
  Readiness,
  type RunningPart,
  type RunningService,
  refuseOldEngine,
  startRounds,
  startVersionWatch,
  systemClock,
  systemIds,
} from '@parlance/observability';
import { openOps } from '@parlance/ops-listener';
import {
  agreeOnKeys,
  countParkedMessages,
  createDatabase,
  Database,
  ensureEventStream,
  forgetTurns,
  migrate,
  observeConsumers,
  whenReachable,
} from '@parlance/postgres';
import {
  type ConnectionState,
  connectionState,
  connectNats,
  EventSeals,
  platformCaller,
  RequestSigner,
  RequestVerifier,
  RpcClient,
  startReadinessReporter,
  startRpcService,
} from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import type { HostEnv } from './env.js';

export {
  type AttachedCount,
  type Attachment,
  type AttachmentParts,
  type AttachmentRules,
  Attachments,
  type AttachmentTables,
} from './attachments.js';
export { type HostEnv, hostEnv } from './env.js';
export { InFlight, type InFlightLimits } from './in-flight.js';
export { type AskingParts, refuseUnknownAgent } from './known-agents.js';
export { PersonalDataOfAgents, redactionOf } from './personal-data.js';
export { type ReadSecretsInUse, startSecretReports } from './secret-reports.js';
export {
  type NoteSecrets,
  type SecretSaveParts,
  type SecretsInUse,
  type SecretsOfSave,
  savingSecrets,
  secretsInUse,
} from './secret-saves.js';

/** What a service builds its handlers on. A class, so that Nest injects it by type. */
export abstract class Host {
  abstract readonly logger: Logger;
  abstract readonly db: Database;
  abstract readonly nats: NatsConnection;
  abstract readonly rpc: RpcClient;
  /** Seals and opens events that say something about a person. */
  abstract readonly seals: EventSeals;
  abstract readonly readiness: Readiness;
  abstract readonly clock: Clock;
  abstract readonly ids: Ids;
  /** This service as the caller of another one, on behalf of an organization (empty: of none). */
  abstract readonly callerFor: (organizationId: string) => Caller;
  /** A background part: stopped with the service in reverse order, and its trouble is told by readiness reports. */
  abstract readonly own: (part: RunningPart) => void;
  /**
   * Runs when this copy is warm and takes requests; the service has started when it resolves. For parts that take work of other
   * copies: until then the others do it faster.
   */
  abstract readonly onceServing: (begin: () => Promise<void>) => void;
}

/** Providers of instances, which Nest injects by their class. */
export const provided = (...instances: readonly object[]): Provider[] =>
  instances.map((instance) => ({ provide: instance.constructor, useValue: instance }));

export interface ServiceDefinition {
  readonly service: ServiceName;
  /** Folder of the service's migrations. */
  readonly migrations: URL;
  /** The time for work that goes on after the last answer, beyond that of every service, in milliseconds. */
  readonly finishAfterwardsMs?: number;
  /** The system's clock unless a test sets another. */
  readonly clock?: Clock;
  /** Connects further engines and returns the Nest module with the handlers, which may inject `Host` and `Database`. */
  build(host: Host): Promise<DynamicModule>;
}

const stopAll = async (parts: readonly RunningPart[], logger: Logger): Promise<void> => {
  for (const part of parts.toReversed()) {
    await part
      .stop()
      .catch((err: unknown) => logger.warn({ part: part.name, err }, 'part did not stop cleanly'));
  }
};

/** A service without its broker is asked for nothing, and hears of nothing. */
const checkBroker = async (nats: NatsConnection, broker: ConnectionState): Promise<void> => {
  if (!broker.up()) throw new Error('not connected');
  await nats.flush();
};

const forgetTurnsEveryMs = 3_600_000;

/** Starts the service and resolves when it answers. */
export const hostService = async (env: HostEnv, definition: ServiceDefinition): Promise<RunningService> => {
  const { service, clock = systemClock } = definition;
  const logger = createLogger({ service, level: env.LOG_LEVEL });
  const parts: RunningPart[] = [];
  const own = (name: string, stop: () => Promise<unknown>): void => {
    parts.push({ name, stop: async () => void (await stop()) });
  };
  try {
    const signer = new RequestSigner(service, env);
    const verifier = new RequestVerifier(service, env);
    const seals = new EventSeals(service, env);
    const ops = await openOps({ service, env, logger });
    own('ops listener', () => ops.stop());
    const db = createDatabase({
      url: env.POSTGRES_URL,
      applicationName: service,
      max: env.POSTGRES_POOL_MAX,
    });
    parts.push({ name: 'database', leave: () => db.leave(), stop: () => db.end() });
    const nats = await connectNats({ url: env.NATS_URL, name: service, logger });
    own('nats', () => nats.drain());
    await refuseOldEngine('NATS', async () => nats.info?.version);
    await refuseOldEngine('PostgreSQL', () => db.serverVersion());
    await whenReachable(
      async () => {
        await migrate(db, { directory: definition.migrations, framework: true, logger });
        await agreeOnKeys(db, env, logger);
      },
      { logger },
    );
    await ensureEventStream(nats);
    const endGauge = observe(messagesParked, async () => [
      [await countParkedMessages(db), { 'parlance.process': service }],
    ]);
    own('gauge of parked messages', async () => endGauge());
    const endBacklogs = observeConsumers(nats, consumersOf(service));
    own('gauge of events that wait', async () => endBacklogs());
    const readiness = new Readiness(logger, systemClock, db.activity);
    const broker = connectionState(nats, () => db.activity.note());
    readiness.add('queue', { required: true, check: () => checkBroker(nats, broker) });
    const rpc = new RpcClient(nats, { asker: service, signer });
    const ownPart = (part: RunningPart): void => {
      parts.push(part);
      readiness.addPart(part);
    };
    ownPart(startVersionWatch({ engine: 'PostgreSQL', read: () => db.serverVersion(), logger }));
    ownPart(startVersionWatch({ engine: 'NATS', read: async () => nats.info?.version, logger }));
    ownPart(
      startRounds({
        name: 'forgetting of turns',
        everyMs: forgetTurnsEveryMs,
        logger,
        round: () => forgetTurns(db),
      }),
    );
    const beginnings: (() => Promise<void>)[] = [];
    const host: Host = {
      logger,
      db,
      nats,
      rpc,
      seals,
      readiness,
      clock,
      ids: systemIds,
      callerFor: (organizationId) => platformCaller(service, organizationId),
      own: ownPart,
      onceServing: (begin) => void beginnings.push(begin),
    };
    const built = await definition.build(host);
    const shared = [
      { provide: Host, useValue: host },
      { provide: Database, useValue: db },
    ];
    const module = { ...built, providers: [...shared, ...(built.providers ?? [])] };
    // The broker gives a copy its share of the requests from the moment at which it takes any, ready or not.
    const prepare = async (): Promise<void> => {
      readiness.start();
      own('readiness', async () => readiness.stop());
      await readiness.firstLook();
      await db.open();
    };
    const server = await startRpcService({ service, nats, verifier, logger, module, prepare });
    own('requests', () => server.stop());
    for (const begin of beginnings) await begin();
    parts.push(startReadinessReporter({ nats, service, readiness }));
    ops.started(() => readiness.report());
    return {
      name: service,
      stopLimitMs: stopLimitMsOf(service) + (definition.finishAfterwardsMs ?? 0),
      stop: async () => {
        readiness.draining = true;
        for (const part of parts) part.leave?.();
        await stopAll(parts.splice(0), logger);
      },
    };
  } catch (error) {
    await stopAll(parts, logger);
    throw error;
  }
};
