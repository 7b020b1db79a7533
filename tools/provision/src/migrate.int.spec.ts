// The command that migrates ahead of the processes, as the image runs it, on empty schemas.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { migrateProcess, targetsOf } from './migrate.js';
import { imageCommand, root, tablesOf } from './testing/command.js';

let engines: TestEngines;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(() => engines.stop());

it.each([
  ['gateway', ['idempotency_records', 'outbox', 'user']],
  ['calls-logs', ['call_index', 'key_fingerprints', 'outbox']],
  ['mcp-facade', ['confirmation_uses', 'key_fingerprints']],
])(
  'migrate %s makes the tables that the process would make, and the next run finds nothing to do',
  async (name, tables) => {
    const { url } = await engines.databaseFor(name);
    const first = await imageCommand({ POSTGRES_URL: url.reveal() }, 'migrate', name);
    expect(first).toMatchObject({ code: 0 });
    expect(await tablesOf(url)).toEqual(expect.arrayContaining(tables));
    const logger = createLogger({ service: 'test', level: 'silent' });
    const again = await migrateProcess(
      { process: name, postgresUrl: url },
      { root, contract: false, logger },
    );
    expect(again).toEqual([]);
  },
);

it('a process that does not exist, and a database that is away, end it with a reason', async () => {
  const { url } = await engines.databaseFor('nothing');
  expect(await imageCommand({ POSTGRES_URL: url.reveal() }, 'migrate', 'no-such-process')).toMatchObject({
    code: 1,
    output: expect.stringContaining('there is no process no-such-process'),
  });
  expect(
    await imageCommand({ POSTGRES_URL: 'postgres://a:b@127.0.0.1:1/c' }, 'migrate', 'gateway'),
  ).toMatchObject({
    code: 1,
    output: expect.stringContaining('the schema of gateway could not be migrated'),
  });
  expect(await imageCommand({}, 'migrate', 'all')).toMatchObject({
    code: 1,
    output: expect.stringContaining('POSTGRES_ADMIN_URL is missing'),
  });
});

it('all processes are reached where the administrator is, each under its own role', () => {
  const admin = new Secret('postgres://postgres:root@db:5432/parlance?sslmode=require');
  const [target] = targetsOf(admin, [['calls_logs', new Secret('p@ss')]]);
  expect(target?.process).toBe('calls-logs');
  expect(target?.postgresUrl.reveal()).toBe('postgres://calls_logs:p%40ss@db:5432/parlance?sslmode=require');
});
