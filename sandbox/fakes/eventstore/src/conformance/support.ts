// The server under test: the one at CONFORMANCE_EVENTSTORE_URL, or a stand-in that is started for the file. Other
// clients may use the server at that URL, and it may hold anything already.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AllStreamSubscription,
  EventStoreDBClient,
  type JSONEventType,
  jsonEvent,
  type Position,
  type ReadStreamOptions,
  type ResolvedEvent,
  type StreamSubscription,
} from '@eventstore/db-client';
import { startEventStore } from '../index.js';

/** The one shape of event that the suite writes. */
export type Counted = JSONEventType<'counted', { n: number }>;

export const counted = (n: number, id: string = randomUUID()) =>
  jsonEvent<Counted>({ id, type: 'counted', data: { n } });

/** A stream name that no other test and no earlier run has used. */
export const freshStream = (prefix = 'conformance'): string => `${prefix}-${randomUUID()}`;

const given = process.env.CONFORMANCE_EVENTSTORE_URL ?? '';

/** The client takes Append instead of BatchAppend when a call carries credentials. */
export const WITHOUT_BATCH = { credentials: credentialsIn(given) };

function credentialsIn(url: string): { username: string; password: string } {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  return username === ''
    ? { username: 'admin', password: 'changeit' }
    : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

export interface Target {
  readonly client: EventStoreDBClient;
  readonly connectionString: string;
  /** Disposes the client and stops the stand-in, if one was started. */
  stop(): Promise<void>;
}

export async function conformanceTarget(): Promise<Target> {
  if (given !== '') {
    const client = EventStoreDBClient.connectionString(given);
    return { client, connectionString: given, stop: () => client.dispose() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'eventstore-conformance-'));
  const server = await startEventStore({ dataDir });
  const client = EventStoreDBClient.connectionString(server.connectionString);
  return {
    client,
    connectionString: server.connectionString,
    stop: async () => {
      await client.dispose();
      await server.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Release of the server, as it says itself. */
async function serverVersion(client: EventStoreDBClient): Promise<string> {
  const features: unknown = await Reflect.get(client, 'capabilities'); // the client shows it to its own commands only
  return String(Object(features).serverVersion);
}

/** Whether the server ends a live subscription that is not read. From 24.2 on it sends the missed events later. */
export async function endsSlowReaders(client: EventStoreDBClient): Promise<boolean> {
  const [year = 0] = (await serverVersion(client)).split('.').map(Number);
  return year < 24;
}

/** Position of an event that is written for it: events that a test appends later lie behind it. */
export async function now(client: EventStoreDBClient): Promise<Position> {
  const { position } = await client.appendToStream(freshStream('marker'), counted(-1));
  if (position === undefined) throw new Error('an append returns a position');
  return position;
}

/** The numbers in a stream, in the order in which they are read. */
export async function numbersIn(
  client: EventStoreDBClient,
  stream: string,
  options: ReadStreamOptions = {},
): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { event } of client.readStream<Counted>(stream, options))
    numbers.push(event?.data.n ?? Number.NaN);
  return numbers;
}

/** Everything that a read yields. */
export async function collect<T>(read: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of read) items.push(item);
  return items;
}

/** A promise that is settled from outside. */
export function deferred<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (e: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Collects a subscription's events; `until` resolves once the collected events satisfy the condition. */
export class Collected {
  readonly events: ResolvedEvent<Counted>[] = [];
  readonly caughtUp: Promise<void>;
  private readonly changed = new Set<() => void>();

  constructor(readonly subscription: StreamSubscription<Counted> | AllStreamSubscription) {
    const caughtUp = deferred<void>();
    this.caughtUp = caughtUp.promise;
    const stream: NodeJS.EventEmitter = subscription;
    stream.on('data', (event: ResolvedEvent<Counted>) => {
      this.events.push(event);
      for (const check of this.changed) check();
    });
    stream.on('caughtUp', () => caughtUp.resolve());
    stream.on('error', caughtUp.reject);
    // A test that does not look at `caughtUp` ends its subscription by stopping the server.
    caughtUp.promise.catch(() => undefined);
  }

  get numbers(): number[] {
    return this.events.map(({ event }) => event?.data.n ?? Number.NaN);
  }

  async until(condition: (numbers: readonly number[]) => boolean): Promise<void> {
    const met = deferred<void>();
    const check = () => condition(this.numbers) && met.resolve();
    this.changed.add(check);
    check();
    await met.promise.finally(() => this.changed.delete(check));
  }
}
