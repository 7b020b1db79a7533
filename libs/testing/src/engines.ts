// Engines for one test file: a database on the run's Postgres, and an own nats-server, event store and document store. So
// files can run side by side, and none can see another's messages.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { administer, provisionService } from '@parlance/persistence';
import { type Nats, type NatsOptions, natsRefusals, startNats } from '@parlance/sandbox-engines';

export interface TestEnginesOptions {
  readonly postgres?: boolean;
  /** True, or a server with limits of its own. */
  readonly nats?: boolean | Pick<NatsOptions, 'maxFileBytes' | 'monitoringPort'>;
  readonly eventStore?: boolean;
  readonly mongo?: boolean;
}

export interface TestEngines {
  /** A role and schema for the service, in the database of this test file. */
  databaseFor(service: string): Promise<{ readonly url: Secret; readonly adminUrl: Secret }>;
  /** The administrator's. A service gets `natsUrlOf(natsUrl, service)`; `stop` rejects when the broker refused it something. */
  readonly natsUrl: string;
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** The nats-server, which a test can kill; undefined when the file asked for none. */
  readonly nats: Nats | undefined;
  stop(): Promise<void>;
}

const fromGlobalSetup = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests with npm test`);
  return value;
};

const databaseUrl = (adminUrl: string, database: string, role?: string, password?: string): string => {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (role !== undefined) url.username = role;
  if (password !== undefined) url.password = password;
  return url.href;
};

interface TestDatabase {
  readonly adminUrl: string;
  drop(): Promise<void>;
}

const createTestDatabase = async (): Promise<TestDatabase> => {
  const runAdmin = fromGlobalSetup('PARLANCE_TEST_POSTGRES_ADMIN_URL');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = administer({ url: new Secret(runAdmin), applicationName: 'testing' });
  await admin.query(`create database ${name}`);
  return {
    adminUrl: databaseUrl(runAdmin, name),
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
};

// Stand-ins are hundreds of modules, and every test file loads its modules anew: a file loads only its own engines.
const startEventStore = async (dataDir: string) =>
  (await import('@parlance/sandbox-eventstore')).startEventStore({ dataDir, fsync: false });
const startMongo = async (dataDir: string) =>
  (await import('@parlance/sandbox-mongodb')).startMongo({ dataDir });

const unavailable = (name: string): never => {
  throw new Error(`this test did not ask for ${name}`);
};

/** Starts the engines that the test file asks for. Call `stop` in afterAll. */
export const testEngines = async (wanted: TestEnginesOptions): Promise<TestEngines> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  const natsLog = join(directory, 'nats.log');
  const database = wanted.postgres ? await createTestDatabase() : undefined;
  const nats = wanted.nats
    ? await startNats({
        dataDir: join(directory, 'nats'),
        logFile: natsLog,
        cacheDir: fromGlobalSetup('PARLANCE_TEST_CACHE'),
        token: randomBytes(12).toString('hex'),
        ...(wanted.nats === true ? {} : wanted.nats),
      })
    : undefined;
  const eventStore = wanted.eventStore ? await startEventStore(join(directory, 'eventstore')) : undefined;
  const mongo = wanted.mongo ? await startMongo(join(directory, 'mongodb')) : undefined;
  return {
    databaseFor: async (service) => {
      if (database === undefined) return unavailable('postgres');
      const role = `${service.replaceAll('-', '_')}_${randomBytes(4).toString('hex')}`;
      const password = randomBytes(12).toString('hex');
      const admin = administer({ url: new Secret(database.adminUrl), applicationName: 'testing' });
      try {
        await provisionService(admin, { role, schema: role, password });
      } finally {
        await admin.end();
      }
      const path = new URL(database.adminUrl).pathname.slice(1);
      return {
        url: new Secret(databaseUrl(database.adminUrl, path, role, password)),
        adminUrl: new Secret(database.adminUrl),
      };
    },
    get natsUrl() {
      return nats?.url ?? unavailable('nats');
    },
    get eventStoreUrl() {
      return eventStore?.connectionString ?? unavailable('eventStore');
    },
    get mongoUrl() {
      return mongo?.url ?? unavailable('mongo');
    },
    nats,
    stop: async () => {
      await Promise.all([nats?.stop(), eventStore?.stop(), mongo?.stop()]);
      await database?.drop();
      const refusals = nats === undefined ? [] : natsRefusals(natsLog);
      rmSync(directory, { recursive: true, force: true });
      if (refusals.length > 0) throw new Error(`the broker refused: ${refusals.join('\n')}`);
    },
  };
};
