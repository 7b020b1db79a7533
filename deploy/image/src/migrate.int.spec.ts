// The command that migrates ahead of the processes, as the image runs it, on empty schemas.
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { createDatabase } from '@parlance/persistence';
import { type TestEngines, testEngines } from '@parlance/testing';
import { migrateProcess, targetsOf } from './migrate.js';

const root = new URL('../../../', import.meta.url);
let engines: TestEngines;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(() => engines.stop());

interface Ended {
  readonly code: number | string | null | undefined;
  readonly output: string;
}
const migrateCommand = (
  variables: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...variables };
    const command = ['deploy/image/entrypoint.sh', 'migrate', ...args];
    execFile('sh', command, { cwd: fileURLToPath(root), env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });

const tablesOf = async (url: Secret): Promise<readonly string[]> => {
  const db = createDatabase({ url, applicationName: 'test', max: 1 });
  try {
    const { rows } = await db.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = current_schema() order by 1`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await db.end();
  }
};

it.each([
  ['gateway', ['idempotency_records', 'outbox', 'user']],
  ['calls-logs', ['call_index', 'key_fingerprints', 'outbox']],
  ['mcp-facade', ['confirmation_uses', 'key_fingerprints']],
])(
  'migrate %s makes the tables that the process would make, and the next run finds nothing to do',
  async (name, tables) => {
    const { url } = await engines.databaseFor(name);
    const first = await migrateCommand({ POSTGRES_URL: url.reveal() }, name);
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
  expect(await migrateCommand({ POSTGRES_URL: url.reveal() }, 'no-such-process')).toMatchObject({
    code: 1,
    output: expect.stringContaining('there is no process no-such-process'),
  });
  expect(await migrateCommand({ POSTGRES_URL: 'postgres://a:b@127.0.0.1:1/c' }, 'gateway')).toMatchObject({
    code: 1,
    output: expect.stringContaining('the schema of gateway could not be migrated'),
  });
  expect(await migrateCommand({}, 'all')).toMatchObject({
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
