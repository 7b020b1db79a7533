// The gRPC server: its methods, the handler of each, and the methods that are refused as not implemented.

import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { NotImplementedError } from '../store/errors.js';
import type { EventStore } from '../store/event-store.js';
import type { EventStoreFaults } from '../store/faults.js';
import { type Accounts, authenticate } from './access.js';
import { append, softDelete, tombstone } from './append.js';
import { batchAppend } from './batch-append.js';
import { Call } from './call.js';
import { faultyWork } from './faulty-work.js';
import { leaderRefusal, readGossip } from './leadership.js';
import { read } from './read.js';
import { sendStatistics } from './statistics.js';
import { GrpcError, grpcError, STATUS } from './status.js';

/** The release that this server imitates; clients switch features by method, not by this text. */
const FOLLOWED_VERSION = '23.10.0';
/** The bytes that a client may send ahead: enough for many small appends, or one large one. */
const RECEIVE_WINDOW_BYTES = 1024 * 1024;
/** The milliseconds that calls may go on when the server stops, and that clients then have to take note of their end. */
const SHUTDOWN_GRACE_MS = 50;

/** Sends its answers and resolves, or rejects with the reason for another status than OK. */
type Method = (store: EventStore, call: Call, faults: EventStoreFaults, version: string) => Promise<void>;

/** Methods that are one write have its faults around them. */
const write =
  (method: (store: EventStore, call: Call) => Promise<void>): Method =>
  (store, call, faults) =>
    faultyWork(faults.take('append'), call, () => method(store, call));

const STREAMS = '/event_store.client.streams.Streams/';
const FEATURES_METHOD = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';
const GOSSIP_METHOD = '/event_store.client.gossip.Gossip/Read';
const STATISTICS_METHOD = '/event_store.client.monitoring.Monitoring/Stats';
const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [`${STREAMS}Read`, read],
  [`${STREAMS}Append`, write(append)],
  [`${STREAMS}BatchAppend`, batchAppend],
  [`${STREAMS}Delete`, write(softDelete)],
  [`${STREAMS}Tombstone`, write(tombstone)],
  [FEATURES_METHOD, supportedMethods],
  [STATISTICS_METHOD, (store, call, faults) => sendStatistics(store.directory, call, faults.take('disk'))],
  [GOSSIP_METHOD, async (_store, call, faults) => readGossip(faults.take('leader'), call)],
]);

/** The client asks these without credentials, whichever it has. */
const OPEN_METHODS: ReadonlySet<string> = new Set([FEATURES_METHOD, GOSSIP_METHOD]);
/** Each piece of work in such a call looks for itself whether there is a leader. */
const LONG_METHODS: ReadonlySet<string> = new Set([`${STREAMS}BatchAppend`]);

export interface ServerOptions extends Accounts {
  /** The operations that fail on demand. */
  readonly faults: EventStoreFaults;
  /** Release that the server says it is; the one that is followed unless given. */
  readonly version?: string | undefined;
  /** PEM; without it the protocol is spoken in the clear. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

export class GrpcServer {
  private readonly server: Http2Server | Http2SecureServer;
  private readonly sessions = new Set<Http2Session>();
  private readonly calls = new Set<Call>();
  /** By the client's port: HTTP/2 does not hand out the sockets of its sessions. */
  private readonly connections = new Map<number | undefined, Socket>();

  constructor(
    private readonly store: EventStore,
    private readonly options: ServerOptions,
  ) {
    const settings = {
      settings: { initialWindowSize: RECEIVE_WINDOW_BYTES },
      // Calls are held back by their own windows; a session's memory is not a reason to refuse one.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    };
    const { tls } = options;
    const server = tls === undefined ? createServer(settings) : createSecureServer({ ...settings, ...tls });
    this.server = server;
    server.on('connection', (socket: Socket) => {
      const { remotePort } = socket;
      this.connections.set(remotePort, socket);
      socket.on('close', () => this.connections.delete(remotePort));
    });
    server.on('session', (session: Http2Session) => {
      this.sessions.add(session);
      session.setLocalWindowSize(2 * RECEIVE_WINDOW_BYTES);
      session.on('close', () => this.sessions.delete(session));
    });
    server.on('sessionError', () => undefined);
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      const connection = this.connections.get(stream.session?.socket.remotePort);
      void this.answer(new Call(stream, connection, headers));
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

  private async answer(call: Call): Promise<void> {
    const { store, calls, options } = this;
    const { path } = call;
    calls.add(call);
    try {
      if (!OPEN_METHODS.has(path)) {
        call.caller = authenticate(call.authorization, options);
        const refusal = LONG_METHODS.has(path)
          ? undefined
          : leaderRefusal(options.faults.take('leader'), call);
        if (refusal !== undefined) throw refusal;
      }
      const method = METHODS.get(path) ?? refused(path);
      await method(store, call, options.faults, options.version ?? FOLLOWED_VERSION);
      call.finish();
    } catch (error) {
      call.finish(grpcError(error));
    } finally {
      calls.delete(call);
    }
  }
}

/** Whether `done` resolves within so many milliseconds. */
async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const timer = setTimeout(ms, false, { signal: late.signal }).catch(() => false);
  return Promise.race([done.then(() => true), timer]).finally(() => late.abort());
}

/** Throws the error for a missing method, naming the service as people do. */
function refused(path: string): never {
  const [, service = ''] = path.split('/');
  const name = /([A-Z]\w+)$/.exec(service)?.[1] ?? path;
  const words = name.replace(/(?!^)[A-Z]/g, (capital) => ` ${capital}`).toLowerCase();
  throw new NotImplementedError(`the sandbox event store does not implement ${words}`);
}

async function supportedMethods(
  _store: EventStore,
  call: Call,
  _faults: EventStoreFaults,
  version: string,
): Promise<void> {
  const methods = [...METHODS.keys()].map((path) => {
    const [, service = '', method = ''] = path.split('/');
    return new features.SupportedMethod()
      .setServiceName(service.toLowerCase())
      .setMethodName(method.toLowerCase());
  });
  const answer = new features.SupportedMethods().setEventStoreServerVersion(version);
  call.send(answer.setMethodsList(methods).serializeBinary());
}
