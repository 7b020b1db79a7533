import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadEnv, Secret, StartRefusal } from '@parlance/config';
import { platformProcesses } from '@parlance/contracts/services';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger, Readiness } from '@parlance/observability';
import { openOps } from '@parlance/ops-listener';
import {
  administer,
  agreeOnKeys,
  createDatabase,
  eventStreamName,
  mayCallStatistics,
  statisticsSchema,
} from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { ProvisionEnv, passwordVariableOf } from './env.js';
import { reasonNotReady } from './health.js';
import { migrateProcess, targetsOf } from './migrate.js';
import { passwordsByRole, provision } from './provision.js';
import { imageCommand, root, tablesOf } from './testing/command.js';
import { waitUntilPrepared } from './wait.js';

const logger = createLogger({ service: 'test', level: 'silent' });
let engines: TestEngines;
let adminUrl: Secret;

// Roles belong to the whole server, which other test files share; nothing else uses these.
const variables = (password: string): Readonly<Record<string, string>> => ({
  NATS_URL: engines.natsUrl,
  POSTGRES_ADMIN_URL: adminUrl.reveal(),
  ...Object.fromEntries(platformProcesses.map(({ role }) => [passwordVariableOf(role), password])),
});
const environment = (password: string) => loadEnv(ProvisionEnv, variables(password));

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  ({ adminUrl } = await engines.databaseFor('image'));
});
afterAll(() => engines.stop());

describe('provision', () => {
  it.each(['0123456789abcdef', 'fedcba9876543210'])(
    'gives each service a role, a schema and sight of the standbys, at the first run and after a new password',
    async (password) => {
      await provision(environment(password), logger);
      for (const { role } of platformProcesses) {
        const url = new URL(adminUrl.reveal());
        url.username = role;
        url.password = password;
        const db = createDatabase({ url: new Secret(url.href), applicationName: 'test', max: 1 });
        const { rows } = await db.query('select current_schema() as schema');
        expect(rows).toEqual([{ schema: role }]);
        expect(await mayCallStatistics(db)).toBe(true);
        await db.end();
      }
    },
  );

  it('shows a service the times of transactions of others, and no text of their statements', async () => {
    const password = '0123456789abcdef';
    await provision(environment(password), logger);
    const admin = administer({ url: adminUrl, applicationName: 'a long report' });
    // As an earlier release left it.
    await admin.query('grant pg_read_all_stats to widgets');
    await provision(environment(password), logger);
    const url = new URL(adminUrl.reveal());
    [url.username, url.password] = ['widgets', password];
    const db = createDatabase({ url: new Secret(url.href), applicationName: 'test', max: 1 });
    await admin.transaction(async (tx) => {
      await tx.query("select 'a secret of somebody else'");
      const { rows } = await db.query<{ application: string }>(
        `select application from ${statisticsSchema}.long_transactions(0)`,
      );
      expect(rows).toContainEqual({ application: 'a long report' });
      const seen = await db.query("select 1 from pg_stat_activity where query like '%somebody ' || 'else%'");
      expect(seen.rowCount).toBe(0);
    });
    await expect(db.query(`create function ${statisticsSchema}.f() returns int return 1`)).rejects.toThrow();
    await Promise.all([db.end(), admin.end()]);
  });

  it('refuses another root secret before it changes a password, and the password of an administrator that it cannot derive', async () => {
    const ROOT_SECRET = '0123456789abcdef'.repeat(4);
    const variablesWith = (secret: string, url = adminUrl.reveal()) =>
      loadEnv(ProvisionEnv, { NATS_URL: engines.natsUrl, POSTGRES_ADMIN_URL: url, ROOT_SECRET: secret });
    const env = variablesWith(ROOT_SECRET);
    await provision(env, logger);
    const [gateway] = targetsOf(env.POSTGRES_ADMIN_URL, passwordsByRole(env));
    if (gateway === undefined) throw new Error('the gateway has a role');
    await migrateProcess(gateway, { root, contract: false, logger });
    const db = createDatabase({ url: gateway.postgresUrl, applicationName: 'test', max: 1 });
    await agreeOnKeys(db, { ...env });
    const other = ROOT_SECRET.replace('0', '1');
    await expect(provision(variablesWith(other), logger)).rejects.toThrow(StartRefusal);
    await db.end();
    const again = createDatabase({ url: gateway.postgresUrl, applicationName: 'test', max: 1 });
    await expect(again.query('select 1')).resolves.toMatchObject({ rowCount: 1 });
    await again.query('delete from key_fingerprints');
    await again.end();
    const derived = new URL(adminUrl.reveal());
    const open = derived.href.replace(`:${derived.password}@`, ':@');
    await expect(provision(variablesWith(other, open), logger)).rejects.toThrow(
      'Postgres refuses the password of its administrator: restore the ROOT_SECRET',
    );
  });

  it('makes the event stream, and refuses more copies than there are servers', async () => {
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const manager = await nats.jetstreamManager();
    expect((await manager.streams.info(eventStreamName)).config.num_replicas).toBe(1);
    const tooMany = { ...environment('0123456789abcdef'), EVENT_STREAM_REPLICAS: 3 };
    await expect(provision(tooMany, logger)).rejects.toThrow('1 of 3 copies');
    await nats.close();
  });
});

describe('migrate all', () => {
  it('makes the schema of every process under its own role, and a second run finds nothing to do', async () => {
    const password = '0123456789abcdef';
    const env = environment(password);
    await provision(env, logger);
    const { NATS_URL: _, ...given } = variables(password);
    expect(await imageCommand(given, 'migrate', 'all')).toMatchObject({ code: 0 });
    const targets = targetsOf(env.POSTGRES_ADMIN_URL, passwordsByRole(env));
    expect(targets).toHaveLength(10);
    for (const target of targets) {
      expect(await tablesOf(target.postgresUrl)).toContain('key_fingerprints');
      expect(await migrateProcess(target, { root, contract: false, logger })).toEqual([]);
    }
  });
});

describe('waitUntilPrepared', () => {
  const urlOf = (role: string): Secret => {
    const url = new URL(adminUrl.reveal());
    url.username = role;
    url.password = '0123456789abcdef';
    return new Secret(url.href);
  };

  it('ends where the role has its schema and NATS has the event stream', async () => {
    await provision(environment('0123456789abcdef'), logger);
    const prepared = { postgresUrl: urlOf('gateway'), natsUrl: engines.natsUrl, limitMs: 30_000 };
    await expect(waitUntilPrepared(prepared)).resolves.toBeUndefined();
  });

  it('gives up in time with what is missing, and never waits for ever', async () => {
    const nobody = { postgresUrl: urlOf('nobody_at_all'), natsUrl: engines.natsUrl, limitMs: 500 };
    await expect(waitUntilPrepared(nobody)).rejects.toThrow('the engines are not prepared: ');
    const noBroker = { postgresUrl: urlOf('gateway'), natsUrl: 'nats://127.0.0.1:1', limitMs: 2_000 };
    await expect(waitUntilPrepared(noBroker)).rejects.toThrow('NATS does not answer');
  });
});

describe('reasonNotReady', () => {
  it('is what the ops listener of the process says, until the process serves', async () => {
    const ops = await openOps({ service: 'gateway', env: { OPS_PORT: 0 }, logger });
    const port = Number(new URL(ops.url ?? '').port);
    expect(await reasonNotReady({ port })).toContain('starting');
    const readiness = new Readiness(logger);
    ops.started(() => readiness.report());
    expect(await reasonNotReady({ port })).toBeUndefined();
    readiness.draining = true;
    expect(await reasonNotReady({ port })).toContain('draining');
    await ops.stop();
    expect(await reasonNotReady({ port })).toContain('does not answer');
  });
});
