// FerretDB on loopback, where it is installed: MongoDB's protocol, kept in SQLite files or in PostgreSQL.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { onPath } from './on-path.js';
import { freePort, reachable } from './ports.js';

export interface FerretDbOptions {
  /** Made if absent. */
  readonly dataDir: string;
  readonly logFile: string;
  /** A free one unless given. */
  readonly port?: number;
  readonly binary: string;
  /** A database of PostgreSQL that keeps the documents; SQLite files in the data folder unless given. */
  readonly postgresUrl?: string;
}

export interface FerretDb extends Pick<Child, 'crash' | 'stop' | 'pid'> {
  readonly url: string;
}

export const findFerretDb = (): string | undefined => onPath('ferretdb');

/** Starts FerretDB and resolves when it listens. */
export const startFerretDb = async (options: FerretDbOptions): Promise<FerretDb> => {
  const dataDir = resolve(options.dataDir);
  const documents = join(dataDir, 'documents');
  mkdirSync(documents, { recursive: true, mode: 0o700 });
  const port = await freePort(options.port);
  const { postgresUrl } = options;
  const child = await startChild({
    name: 'ferretdb',
    command: dyingWithParent([options.binary], 'TERM'),
    logFile: options.logFile,
    pidFile: `${dataDir}.pid`,
    env: {
      FERRETDB_LISTEN_ADDR: `127.0.0.1:${port}`,
      FERRETDB_DEBUG_ADDR: '-',
      FERRETDB_TELEMETRY: 'disable',
      FERRETDB_STATE_DIR: dataDir,
      // In the environment, because every user of the machine may read a command line.
      ...(postgresUrl === undefined
        ? { FERRETDB_HANDLER: 'sqlite', FERRETDB_SQLITE_URL: `file:${documents}/` }
        : { FERRETDB_HANDLER: 'postgresql', FERRETDB_POSTGRESQL_URL: postgresUrl }),
    },
    probe: () => reachable(port),
  });
  return { ...child, url: `mongodb://127.0.0.1:${port}` };
};
