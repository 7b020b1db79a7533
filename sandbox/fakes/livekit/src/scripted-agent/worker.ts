// The connection of an agent's worker to a LiveKit server. It takes each job once, and comes back after the server was gone.
// It keeps running jobs while the server is away: their rooms tell them whether they are over.
import { AccessToken } from 'livekit-server-sdk';
import { type RawData, WebSocket } from 'ws';
import {
  availability,
  type FromServer,
  fromServer,
  type Job,
  jobEnd,
  ping,
  registration,
} from './worker-messages.js';

export interface WorkerOptions {
  /** Address of the server, such as ws://127.0.0.1:7880. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly agentName: string;
  /** The work that a job stands for; two jobs for the same work are one. */
  readonly workOf: (job: Job) => string | undefined;
  /** Does the work. The job has ended when it resolves, and has failed when it rejects. */
  readonly run: (assigned: Assigned) => Promise<void>;
  readonly log: (line: string) => void;
}

export interface Assigned {
  readonly job: Job;
  /** Address and token with which the room is joined. */
  readonly url: string;
  readonly token: string;
  /** Aborted when the server says that the job is over. */
  readonly terminated: AbortSignal;
}

export interface Worker {
  /** Resolves when the server has taken the registration for the first time. */
  readonly registered: Promise<void>;
  stop(): void;
}

const pingMs = 10_000;
/** A server that has said nothing for so long is gone, even when the connection looks open. */
const silenceMs = 30_000;
const firstWaitMs = 200;
const longestWaitMs = 3_000;
/** So many jobs are remembered, so that none of them is taken again. */
const memory = 10_000;

/** Remembers the youngest names. `add` answers whether a name is new. */
const createMemory = () => {
  const names = new Set<string>();
  return {
    add: (name: string): boolean => {
      if (names.has(name)) return false;
      names.add(name);
      const [oldest] = names;
      if (names.size > memory && oldest !== undefined) names.delete(oldest);
      return true;
    },
    forget: (name: string): void => void names.delete(name),
  };
};

const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const startWorker = (options: WorkerOptions): Worker => {
  const { log } = options;
  const taken = createMemory();
  /** Offers that were accepted, until the server assigns them. */
  const accepted = new Map<string, readonly string[]>();
  const running = new Map<string, AbortController>();
  let socket: WebSocket | undefined;
  let waitMs = firstWaitMs;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isRegistered: () => void = () => undefined;
  const registered = new Promise<void>((resolve) => {
    isRegistered = resolve;
  });

  const send = (message: Uint8Array): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(message);
  };

  const run = async (assigned: Omit<Assigned, 'terminated'>): Promise<void> => {
    const { id } = assigned.job;
    const terminated = new AbortController();
    running.set(id, terminated);
    try {
      await options.run({ ...assigned, terminated: terminated.signal });
      send(jobEnd(id));
    } catch (error) {
      log(`job ${id} failed: ${error instanceof Error ? error.stack : String(error)}`);
      send(jobEnd(id, messageOf(error)));
    } finally {
      running.delete(id);
    }
  };

  const offered = (job: Job): void => {
    const names = [job.id, options.workOf(job)].filter((name) => name !== undefined);
    const isNew = names.map(taken.add).every(Boolean);
    if (isNew) accepted.set(job.id, names);
    else log(`job ${job.id} of room ${job.roomName} was taken before`);
    send(availability(job.id, isNew ? 'take' : 'done'));
  };

  const received = (message: FromServer): void => {
    switch (message.kind) {
      case 'registered':
        waitMs = firstWaitMs;
        log(`registered as ${message.workerId} at LiveKit ${message.serverVersion}`);
        isRegistered();
        break;
      case 'offer':
        offered(message.job);
        break;
      case 'assignment':
        if (accepted.delete(message.job.id))
          void run({ job: message.job, token: message.token, url: message.url ?? options.url });
        break;
      case 'termination':
        running.get(message.jobId)?.abort();
        break;
      default:
        break;
    }
  };

  const connect = async (): Promise<void> => {
    const token = new AccessToken(options.apiKey, options.apiSecret, { ttl: '1h' });
    token.addGrant({ agent: true });
    const headers = { authorization: `Bearer ${await token.toJwt()}` };
    if (isStopped) return;
    const opened = new WebSocket(new URL('/agent', options.url), { headers, handshakeTimeout: 5_000 });
    socket = opened;
    let heardAt = Date.now();
    const heartbeat = setInterval(() => {
      if (Date.now() - heardAt > silenceMs) opened.terminate();
      else send(ping(Date.now()));
    }, pingMs);
    opened.on('open', () => send(registration(options.agentName)));
    opened.on('message', (data) => {
      heardAt = Date.now();
      try {
        received(fromServer(bytesOf(data)));
      } catch (error) {
        log(`a message of the server could not be read: ${messageOf(error)}`);
      }
    });
    opened.on('error', (error) => log(`the connection to ${options.url} failed: ${error.message}`));
    opened.on('close', () => {
      clearInterval(heartbeat);
      // Jobs that were accepted and never assigned are offered again, perhaps to this worker.
      for (const names of accepted.values()) names.forEach(taken.forget);
      accepted.clear();
      if (isStopped) return;
      timer = setTimeout(() => void connect(), waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    });
  };
  void connect();

  return {
    registered,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
};
