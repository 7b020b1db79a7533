// The platform in a process of its own, on fresh data, with limits out of the way; started twice to time both.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { administrator } from '@parlance/messaging';
import { DataFolder } from '@parlance/start';
import { enableStatementCounts } from './statements.js';

const entry = fileURLToPath(new URL('../../../../sandbox/start/dist/bin.js', import.meta.url));
const unlimited = Object.fromEntries(
  ['READ', 'WRITE', 'COST', 'AUTH', 'INTERNAL', 'UPLOAD', 'PURCHASE'].map((bucket) => [
    `RATE_LIMIT_${bucket}_PER_MINUTE`,
    '100000000',
  ]),
);

export interface MeasuredOptions {
  /** Copies of the dialer (1). */
  readonly dialers?: number;
  /** Variables for the environment of the platform. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Options of the command line, such as `--browser-voice`. */
  readonly flags?: readonly string[];
  /** Postgres counts its statements, which costs every one of them a little. */
  readonly countsStatements?: boolean;
}

const launch = async (
  dataDir: string,
  { dialers = 1, variables = {}, flags = [] }: MeasuredOptions,
): Promise<{ child: ChildProcess; seconds: number }> => {
  const started = performance.now();
  const args = [entry, '--data-dir', dataDir, '--dialers', String(dialers), ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...unlimited, MAX_AGENTS_PER_ORGANIZATION: '100000000', ...variables },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (/Parlance (is ready|runs) at/.test(chunk.toString())) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the platform ended with ${code}`)));
  });
  return { child, seconds: (performance.now() - started) / 1_000 };
};

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGINT');
  });

/** Names of the processes that are nothing but one more dialer. */
const copiesBeyondFirst = ({ dialers = 1 }: MeasuredOptions): readonly string[] =>
  Array.from({ length: dialers - 1 }, (_, index) => `dialer-${index + 2}`);

export type MeasuredPlatform = Awaited<ReturnType<typeof startMeasuredPlatform>>;

export const startMeasuredPlatform = async (options: MeasuredOptions = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-bench-'));
  const first = await launch(dataDir, options);
  const folder = new DataFolder(dataDir);
  const { databasePassword, internalKey, natsToken, postgresPassword } = folder.secrets();
  const urlOf = (role: string, password: string): string =>
    `postgres://${role}:${password}@127.0.0.1:${folder.state().ports.postgres}/parlance`;
  if (options.countsStatements === true) await enableStatementCounts(urlOf('parlance', postgresPassword));
  await end(first.child);
  const { child, seconds } = await launch(dataDir, options);
  const { url, demo, ports } = folder.state();
  if (url === undefined || demo === undefined || child.pid === undefined)
    throw new Error('the platform did not start');
  const databaseUrlOf = (role: string): string => urlOf(role, databasePassword);
  return {
    dataDir,
    /** The path of the ledger, in which the simulated phones record dials and rings. */
    ledger: join(dataDir, 'ledger.jsonl'),
    url,
    api: `${url}/api/v1`,
    apiKey: demo.apiKey,
    organizationId: demo.organizationId,
    /** The credentials of that organization's owner. */
    owner: { email: demo.email, password: demo.password },
    databaseUrl: databaseUrlOf('agents_config'),
    /** The URL for the role of a service, which owns its schema. */
    databaseUrlOf,
    /** The URL of the database for its superuser. */
    adminUrl: urlOf('parlance', postgresPassword),
    postgresLog: folder.log('postgres'),
    /** The URL of the broker for its administrator. */
    natsUrl: `nats://${administrator}:${encodeURIComponent(natsToken)}@127.0.0.1:${ports.nats}`,
    internalKey,
    ports,
    startSeconds: first.seconds,
    restartSeconds: seconds,
    pids: {
      gateway: child.pid,
      services: folder.pid('services'),
      'stand-ins': folder.pid('stand-ins'),
      nats: folder.pid('nats'),
      postgres: folder.pid('postgres'),
      ...Object.fromEntries(copiesBeyondFirst(options).map((name) => [name, folder.pid(name)])),
    },
    stop: async () => {
      await end(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** Memory that a process and its children hold for themselves, as the kernel counts it (proportional set size). */
const proportionalKibibytes = (pid: number): number => {
  try {
    const own = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? '0';
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean);
    return Number(own) + children.reduce((sum, child) => sum + proportionalKibibytes(Number(child)), 0);
  } catch {
    return 0; // gone meanwhile, or a system without /proc
  }
};

const ownKibibytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? '0');

export const residentMebibytes = async (pids: Readonly<Record<string, number | undefined>>) => {
  const parts = Object.entries(pids).flatMap(([name, pid]): [string, number][] => {
    if (pid === undefined) return [];
    // The platform's children are listed by themselves; the database's are part of it.
    const kibibytes = name === 'postgres' ? proportionalKibibytes(pid) : ownKibibytes(pid);
    return [[name, Math.round(kibibytes / 1_024)]];
  });
  return { total: parts.reduce((sum, [, size]) => sum + size, 0), parts };
};
