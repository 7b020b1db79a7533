// `npm start`, the real command with npm and its shell, as a process manager runs it. A signal to npm alone ends all that
// was started. After a kill of everything the next start works at the first try. Every start finds the records of the one before.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort, reachable } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts } from './testing/accounts.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Starts after a kill of everything. */
const kills = Number(process.env.PARLANCE_TEST_RESTARTS ?? 1);

let dataDir: string;
let port: number;
let npm: ChildProcess | undefined;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parlance-npm-start-'));
  port = await freePort();
});
afterAll(() => {
  for (const pid of npm?.pid === undefined ? [] : familyOf(npm.pid)) end(pid);
  rmSync(dataDir, { recursive: true, force: true });
});

/** State and parent of a process, by the kernel's word; undefined when it is not there. */
const statOf = (pid: number | string): { state: string; parent: number } | undefined => {
  try {
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
};
const lives = (pid: number): boolean => !['Z', 'X', undefined].includes(statOf(pid)?.state);
const end = (pid: number): void => {
  if (lives(pid)) process.kill(pid, 'SIGKILL');
};

/** A process and all that descend from it. */
const familyOf = (pid: number): number[] => {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.filter((name) => statOf(name)?.parent === pid);
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
};

let account: Account | undefined;
let kept: unknown;

const agentsOf = async (api: string, { headers }: Account): Promise<unknown> => {
  const response = await fetch(`${api}/agents`, { headers });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: unknown }; // the envelope
  expect(data).toMatchObject([{ id: expect.any(String) }]);
  return data;
};

/** The first start gets an organization with an agent, and every later one has the same. */
const expectRecords = async (): Promise<void> => {
  const { url } = new DataFolder(dataDir).state();
  if (url === undefined) throw new Error('the platform did not say where it is');
  const api = `${url}/api/v1`;
  if (account === undefined) {
    const accounts = new Accounts({ url, api });
    const made = await accounts.create('kept');
    await accounts.agent(made);
    kept = await eventually(() => agentsOf(api, made));
    account = made;
  }
  const present = account;
  await eventually(async () => expect(await agentsOf(api, present)).toEqual(kept));
};

interface Started {
  /** Of npm, which leads a process group. */
  readonly pid: number;
  /** Of npm and everything that it started. */
  readonly family: readonly number[];
  /** The exit status of npm; null when a signal ended it. */
  readonly code: Promise<number | null>;
}

/** Resolves when the platform is ready; rejects when it ends before. */
const start = async (): Promise<Started> => {
  const child = spawn('npm', ['start', '--', '--data-dir', dataDir, '--port', String(port)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  npm = child;
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/Parlance (is ready|runs) at/.test(output)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    void code.then(() => reject(new Error(`npm start has ended:\n${output}`)));
  });
  const pid = child.pid ?? Number.NaN;
  const family = familyOf(pid);
  // npm, the platform, the services, the stand-ins, PostgreSQL and NATS at least.
  expect(family.length).toBeGreaterThanOrEqual(6);
  await expectRecords();
  return { pid, family, code };
};

const allGone = (family: readonly number[]): Promise<void> =>
  eventually(() => expect(family.filter(lives)).toEqual([]), { timeoutMs: 30_000, intervalMs: 100 });

it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  '%s to npm alone ends every process, and the next start has every record',
  async (signal) => {
    const { pid, family } = await start();
    process.kill(pid, signal);
    await allGone(family);
    await expect(reachable(port)).rejects.toThrow();
  },
  180_000,
);

it(
  'starts at the first try after everything was killed at once, and Ctrl-C ends it in order',
  async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      const { family } = await start();
      // The last born first: no parent can look after its children any more.
      for (const pid of family.toReversed()) end(pid);
      // The next start comes at once, with processes that may be dead and not collected yet.
    }
    const { pid, family, code } = await start();
    // A terminal sends the signal to every process of the group, and npm passes its own on.
    process.kill(-pid, 'SIGINT');
    expect(await code).toBe(0);
    await allGone(family);
  },
  120_000 + kills * 60_000,
);
