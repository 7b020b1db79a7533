// The gRPC server: which methods exist, what each is answered by, and what is refused as not implemented.

import { once } from 'node:events';
import { createServer, type Http2Server, type Http2Session } from 'node:http2';
import { setTimeout } from 'node:timers/promises';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { NotImplementedError } from '../errors.js';
import type { EventStore } from '../event-store.js';
import { append, softDelete, tombstone } from './append.js';
import { batchAppend } from './batch-append.js';
import { Call } from './call.js';
import { read } from './read.js';
import { GrpcError, grpcError, STATUS } from './status.js';

/** The release whose behaviour is followed; clients switch features by method, not by this text. */
const FOLLOWED_VERSION = '23.10.0';
/** How much a client may send ahead: enough for many small appends, or one large one. */
const RECEIVE_WINDOW_BYTES = 1024 * 1024;
/** How long calls may go on when the server stops, and then how long clients have to take note of their end. */
const SHUTDOWN_GRACE_MS = 50;

/** Sends its answers and resolves, or rejects with the reason for another status than OK. */
type Method = (store: EventStore, call: Call) => Promise<void>;

const STREAMS = '/event_store.client.streams.Streams/';
const STREAMS_METHODS = {
  Read: read,
  Append: append,
  BatchAppend: batchAppend,
  Delete: softDelete,
  Tombstone: tombstone,
};
const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...Object.entries(STREAMS_METHODS).map(([name, method]) => [`${STREAMS}${name}`, method] as const),
  ['/event_store.client.server_features.ServerFeatures/GetSupportedMethods', supportedMethods],
]);

export class GrpcServer {
  private readonly server: Http2Server;
  private readonly sessions = new Set<Http2Session>();
  private readonly calls = new Set<Call>();

  constructor(private readonly store: EventStore) {
    this.server = createServer({
      settings: { initialWindowSize: RECEIVE_WINDOW_BYTES },
      // Calls are held back by their own windows; a session's memory is not a reason to refuse one.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    });
    this.server.on('session', (session) => {
      this.sessions.add(session);
      session.setLocalWindowSize(2 * RECEIVE_WINDOW_BYTES);
      session.on('close', () => this.sessions.delete(session));
    });
    this.server.on('sessionError', () => undefined);
    this.server.on('stream', (stream, headers) => {
      void this.answer(new Call(stream), String(headers[':path']));
    });
  }

  /** Listens; resolves with the port, which is a free one for port 0. */
  async listen(host: string, port: number): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Lets calls finish for a moment, then ends the others, subscriptions above all, as those of a server that is away. */
  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const session of this.sessions) session.close();
    if (await within(SHUTDOWN_GRACE_MS, closed)) return;
    for (const call of this.calls) call.finish(new GrpcError(STATUS.UNAVAILABLE, 'the server is stopping'));
    if (await within(SHUTDOWN_GRACE_MS, closed)) return;
    for (const session of this.sessions) session.destroy();
    await closed;
  }

  private async answer(call: Call, path: string): Promise<void> {
    this.calls.add(call);
    try {
      const method = METHODS.get(path) ?? refused(path);
      await method(this.store, call);
      call.finish();
    } catch (error) {
      call.finish(grpcError(error));
    } finally {
      this.calls.delete(call);
    }
  }
}

/** Whether `done` resolves within so many milliseconds. */
async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const timer = setTimeout(ms, false, { signal: late.signal }).catch(() => false);
  return Promise.race([done.then(() => true), timer]).finally(() => late.abort());
}

/** Throws what says that a method is not there, naming the service as people do. */
function refused(path: string): never {
  const [, service = ''] = path.split('/');
  const name = /([A-Z]\w+)$/.exec(service)?.[1] ?? path;
  const words = name.replace(/(?!^)[A-Z]/g, (capital) => ` ${capital}`).toLowerCase();
  throw new NotImplementedError(`the sandbox event store does not implement ${words}`);
}

async function supportedMethods(_store: EventStore, call: Call): Promise<void> {
  const methods = [...METHODS.keys()].map((path) => {
    const [, service = '', method = ''] = path.split('/');
    return new features.SupportedMethod()
      .setServiceName(service.toLowerCase())
      .setMethodName(method.toLowerCase());
  });
  const answer = new features.SupportedMethods().setEventStoreServerVersion(FOLLOWED_VERSION);
  call.send(answer.setMethodsList(methods).serializeBinary());
}
