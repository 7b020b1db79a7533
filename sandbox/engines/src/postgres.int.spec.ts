// PostgreSQL starts at the first try on data that a killed server left. It does so even when the lock file names
// another process by then, and never beside a server that lives.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Postgres, startPostgres } from './postgres.js';

let directory: string;
let server: Postgres | undefined;
const others: ChildProcess[] = [];

const start = async (dataDir = 'data'): Promise<Postgres> =>
  startPostgres({
    dataDir: join(directory, dataDir),
    logFile: join(directory, 'postgres.log'),
    password: 'secret',
    durable: false,
  });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-postgres-'));
  server = await start();
});
afterAll(async () => {
  await server?.stop();
  for (const other of others) other.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())));

const spawned = (...command: [string, ...string[]]): ChildProcess => {
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  others.push(child);
  return child;
};

/** A process that is dead and that its parent, which became another program, never collects. */
const uncollected = async (): Promise<string> =>
  firstLine(spawned('sh', '-c', 'sleep 0 & echo $!; exec sleep 600'));

/** The id of a process of another program, as when the system has given the dead server's id to it. */
const stranger = async (): Promise<string> => firstLine(spawned('sh', '-c', 'echo $$; exec sleep 600'));

it.each([
  ['dead and not collected', uncollected],
  ["another program's by now", stranger],
])('starts where the process of the lock file is %s', async (_, another) => {
  // A killed server leaves the data directory as it was, with a lock file that names the server's process.
  const lock = join(directory, 'data', 'postmaster.pid');
  const [, ...rest] = readFileSync(lock, 'utf8').split('\n');
  await server?.stop();
  server = undefined;
  writeFileSync(lock, [await another(), ...rest].join('\n'));
  server = await start();
  expect(readFileSync(lock, 'utf8').split('\n')[0]).toBe(String(server.pid()));
});

it('does not start beside a server that lives on the same data', async () => {
  const pid = server?.pid();
  // Without this note of the running server's process, only the lock file tells that a server lives.
  rmSync(join(directory, 'data.pid'));
  await expect(start()).rejects.toThrow('postgres did not start');
  expect(server?.pid()).toBe(pid);
});
