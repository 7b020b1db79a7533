// A MongoDB server for one machine: TCP connections in, commands dispatched by name, replies out in order.
import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Document } from 'bson';
import { ADMIN } from './admin.js';
import { checkConcerns, type Handler } from './command.js';
import { Cursors } from './cursors.js';
import { CommandError, shuttingDown } from './errors.js';
import { READS } from './reads.js';
import { Store } from './store.js';
import { type CursorReply, MessageSplitter, type Request, readRequest, writeReply } from './wire.js';
import { WRITES } from './writes.js';

const COMMANDS: ReadonlyMap<string, Handler> = new Map(Object.entries({ ...ADMIN, ...READS, ...WRITES }));

/** Where the data lives and where to listen. */
export interface MongoOptions {
  /** Created if missing. A process that opens it fences off one that had it before. */
  readonly dataDir: string;
  /** Default 127.0.0.1: there is no authentication. */
  readonly host?: string;
  /** Default 0, a free one. */
  readonly port?: number;
}

/** A running server. */
export interface MongoServer {
  readonly port: number;
  /** `mongodb://host:port`. */
  readonly url: string;
  /** Ends connections, commits what is queued and closes the data directory. */
  stop(): Promise<void>;
}

interface Context {
  readonly store: Store;
  readonly cursors: Cursors;
  readonly connectionId: number;
}

async function answer(context: Context, request: Request): Promise<Document | CursorReply> {
  const { body } = request;
  const [name = ''] = Object.keys(body);
  try {
    const handler = COMMANDS.get(name);
    if (handler === undefined) throw new CommandError(59, `no such command: '${name}'`);
    checkConcerns(body);
    if (!context.store.isOpen) throw shuttingDown();
    const db = typeof body.$db === 'string' ? body.$db : 'admin';
    return await handler({ ...context, db, name, body, raw: request.raw });
  } catch (error) {
    if (error instanceof CommandError) return error.toReply();
    return new CommandError(8, error instanceof Error ? error.message : String(error)).toReply();
  }
}

/** Serves one connection: its commands run one after the other, as on a real server. */
function serve(socket: Socket, context: Context): void {
  const splitter = new MessageSplitter();
  let last = Promise.resolve();
  const handle = async (message: Buffer): Promise<void> => {
    try {
      const request = readRequest(message);
      const reply = await answer(context, request);
      if (request.wantsReply && socket.writable) socket.write(writeReply(request, reply));
    } catch {
      // Not the protocol: a real server closes the connection too.
      socket.destroy();
    }
  };
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    try {
      for (const message of splitter.push(chunk)) last = last.then(() => handle(message));
    } catch {
      socket.destroy();
    }
  });
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
  const { dataDir, host = '127.0.0.1' } = options;
  mkdirSync(dataDir, { recursive: true });
  const store = new Store(dataDir);
  const cursors = new Cursors();
  const sockets = new Set<Socket>();
  let connectionId = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket, { store, cursors, connectionId: ++connectionId });
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
