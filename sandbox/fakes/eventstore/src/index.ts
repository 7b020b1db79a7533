// Starts the sandbox's event store: opens a data directory and serves EventStoreDB's gRPC protocol over it.

import { GrpcServer, type ServerOptions } from './grpc/server.js';
import { lockDataDir } from './store/data-dir-lock.js';
import { EventStore } from './store/event-store.js';
import { createEventStoreFaults } from './store/faults.js';
import type { Recovery } from './store/recovery.js';

export { createEventStoreFaults, type EventStoreFaults } from './store/faults.js';
export type { Recovery } from './store/recovery.js';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_SEGMENT_BYTES = 256 * 1024 * 1024;

export interface StartOptions extends Partial<ServerOptions> {
  /** Holds everything that is stored; made when it is not there. One process at a time may use it. */
  readonly dataDir: string;
  /** Address to listen on; 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Whether an append waits for the disk (default true). False survives kill -9 but not a power cut. */
  readonly fsync?: boolean;
  /** Size at which a log file is followed by a new one. */
  readonly segmentBytes?: number;
}

export interface RunningEventStore {
  readonly port: number;
  /** For `EventStoreDBClient.connectionString`, without credentials. */
  readonly connectionString: string;
  /** The repairs of this start. */
  readonly recovery: Recovery;
  /** Finishes the appends that were accepted, drops subscriptions and closes the files. */
  stop(): Promise<void>;
}

/** Throws when the directory is in use or damaged, or the port is taken. */
export async function startEventStore(options: StartOptions): Promise<RunningEventStore> {
  const { dataDir, host = DEFAULT_HOST, fsync = true, segmentBytes = DEFAULT_SEGMENT_BYTES } = options;
  const lock = await lockDataDir(dataDir);
  const releasing = [() => lock.release()];
  const stop = async (): Promise<void> => {
    for (const release of releasing.splice(0).reverse()) await release();
  };
  try {
    const store = await EventStore.open({ directory: dataDir, fsync, segmentBytes });
    releasing.push(() => store.close());
    const { faults = createEventStoreFaults(), credentials, users, version, tls } = options;
    const server = new GrpcServer(store, { faults, credentials, users, version, tls });
    const port = await server.listen(host, options.port ?? 0);
    releasing.push(
      () => server.stop(),
      () => store.drain(),
    );
    const connectionString = `esdb://${host}:${port}?tls=${tls !== undefined}`;
    return { port, connectionString, recovery: store.recovery, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
