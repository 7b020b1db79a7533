// A real EventStoreDB on loopback, where its server is installed.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

export const findEventStored = (): string | undefined => onPath('eventstored');

/** It listens some time before it takes appends: only then does this address answer with success. */
const isLive = async (port: number): Promise<void> => {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/health/live`, {
    signal: AbortSignal.timeout(2_000),
  });
  if (!ok) throw new Error(`not live: ${status}`);
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
    // A container of EventStoreDB gets the same settings.
    env: {
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_NODE_IP: '127.0.0.1',
      EVENTSTORE_NODE_PORT: String(port),
      EVENTSTORE_REPLICATION_IP: '127.0.0.1',
      EVENTSTORE_REPLICATION_PORT: String(await freePort()),
      EVENTSTORE_DB: join(dataDir, 'db'),
      EVENTSTORE_INDEX: join(dataDir, 'index'),
      EVENTSTORE_LOG: join(dataDir, 'log'),
    },
    probe: () => isLive(port),
  });
  return { ...child, connectionString: `esdb://127.0.0.1:${port}?tls=false` };
};
