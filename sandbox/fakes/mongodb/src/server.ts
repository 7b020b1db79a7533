// A MongoDB server for one machine: a data directory and a port.
import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { serve } from './connection.js';
import { Cursors } from './cursors.js';
import { createMongoFaults, type MongoFaults } from './faults.js';
import { Login } from './login.js';
import { type Credentials, verifierOf } from './scram.js';
import { Store } from './store.js';

/** Where the data lives and where to listen. */
export interface MongoOptions {
  /** Created if missing. A process that opens it fences off one that had it before. */
  readonly dataDir: string;
  /** Default 127.0.0.1: there is no TLS, and no login unless credentials are given. */
  readonly host?: string;
  /** Default 0, a free one. */
  readonly port?: number;
  /** The user that may log in, with SCRAM-SHA-256; without it no login is needed. */
  readonly credentials?: Credentials;
  /** The operations that fail on demand; none unless given. */
  readonly faults?: MongoFaults;
}

/** A running server. */
export interface MongoServer {
  readonly port: number;
  /** `mongodb://host:port`. */
  readonly url: string;
  /** Ends connections, commits queued writes and closes the data directory. */
  stop(): Promise<void>;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // A TCP server's address is never a pipe's name.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Starts the server; rejects if the port is taken or the directory cannot be used. */
export async function startMongo(options: MongoOptions): Promise<MongoServer> {
  const { dataDir, host = '127.0.0.1', faults = createMongoFaults() } = options;
  mkdirSync(dataDir, { recursive: true });
  const store = new Store(dataDir);
  const cursors = new Cursors();
  const verifier = options.credentials && (await verifierOf(options.credentials));
  const sockets = new Set<Socket>();
  let connectionId = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket, { store, cursors, connectionId: ++connectionId, faults, login: new Login(verifier) });
  });
  const port = await listen(server, host, options.port ?? 0).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
    await store.close();
  };
  return { port, url: `mongodb://${host}:${port}`, stop };
}
