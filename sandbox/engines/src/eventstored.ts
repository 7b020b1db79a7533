// A real KurrentDB or EventStoreDB on loopback, where one is installed.
import { mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { onPath } from './on-path.js';
import { freePort } from './ports.js';

export interface EventStoredOptions {
  /** Made if absent. */
  readonly dataDir: string;
  readonly logFile: string;
  /** A free one unless given. */
  readonly port?: number;
  readonly binary: string;
}

export interface EventStored extends Pick<Child, 'crash' | 'stop' | 'pid'> {
  /** For the client library. */
  readonly connectionString: string;
}

export const findEventStored = (): string | undefined => onPath('kurrentd') ?? onPath('eventstored');

/** It listens some time before it takes appends: only then does this address answer with success. */
const isLive = async (port: number): Promise<void> => {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/health/live`, {
    signal: AbortSignal.timeout(2_000),
  });
  if (!ok) throw new Error(`not live: ${status}`);
};

/** Each server reads variables that begin with its own name. */
const settings = (binary: string, values: Readonly<Record<string, string>>): Record<string, string> => {
  const prefix = basename(binary) === 'kurrentd' ? 'KURRENTDB' : 'EVENTSTORE';
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));
};

/** One node without TLS and users; resolves when it is live. */
export const startEventStored = async (options: EventStoredOptions): Promise<EventStored> => {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const port = await freePort(options.port);
  const child = await startChild({
    name: 'eventstored',
    command: dyingWithParent([options.binary], 'TERM'),
    logFile: options.logFile,
    pidFile: `${dataDir}.pid`,
    // The settings of the container in docker-compose.yml.
    env: settings(options.binary, {
      INSECURE: 'true',
      NODE_IP: '127.0.0.1',
      NODE_PORT: String(port),
      REPLICATION_IP: '127.0.0.1',
      REPLICATION_PORT: String(await freePort()),
      DB: join(dataDir, 'db'),
      INDEX: join(dataDir, 'index'),
      LOG: join(dataDir, 'log'),
    }),
    probe: () => isLive(port),
  });
  return { ...child, connectionString: `esdb://127.0.0.1:${port}?tls=false` };
};
