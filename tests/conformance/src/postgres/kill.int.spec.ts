// A transaction survives the death of the server when its commit was answered; an open transaction does not. The test
// starts its own server with the platform's settings: the program at CONFORMANCE_POSTGRES_PROGRAM, or the packaged one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findPostgres, type Postgres, startPostgres } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import pg from 'pg';

// A server that is only known by its address is not killed.
const isForeign =
  process.env.CONFORMANCE_POSTGRES_URL !== undefined &&
  process.env.CONFORMANCE_POSTGRES_PROGRAM === undefined;

let directory: string;
let server: Postgres;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-postgres-kill-'));
  if (isForeign) return;
  const program = process.env.CONFORMANCE_POSTGRES_PROGRAM;
  const binaries = program === undefined ? undefined : findPostgres(program);
  server = await startPostgres({
    dataDir: join(directory, 'data'),
    logFile: join(directory, 'postgres.log'),
    password: 'conformance',
    ...(binaries === undefined ? {} : { binaries }),
  });
});
afterAll(async () => {
  if (!isForeign) await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const connected = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: server.adminUrl, connectionTimeoutMillis: 5_000 });
  // The server is killed under it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

(isForeign ? it.skip : it)('a commit survives kill -9, and an open transaction is gone', async () => {
  const client = await connected();
  await client.query('create table kept (n int primary key)');
  const open = await connected();
  await open.query('begin');
  await open.query('insert into kept values (-1)');
  let told = 0;
  const writing = (async () => {
    for (;;) {
      await client.query('insert into kept values ($1)', [told + 1]);
      told += 1;
    }
  })().catch(() => undefined);
  await eventually(async () => expect(told).toBeGreaterThan(50));
  server.crash();
  await writing;
  const rows = await eventually(async () => {
    const after = await connected();
    const { rows: found } = await after.query<{ n: number }>('select n from kept order by n');
    await after.end();
    return found.map(({ n }) => n);
  });
  // The server may have committed the last transaction just before its death, without an answer.
  expect([told, told + 1]).toContain(rows.length);
  expect(rows).toEqual(rows.map((_, index) => index + 1));
});
