// The driver for EventStoreDB, and for KurrentDB, which speaks the same protocol.
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { Secret } from '@parlance/config';
import type {
  AllRead,
  Appended,
  CategorySubscription,
  ProposedAppend,
  RawEvent,
  StoreDriver,
  StreamRead,
  SubscriptionOptions,
} from '../store/driver.js';
import { WrongRevision } from '../store/failures.js';
import { BatchAppends } from './batch-appends.js';
import { CategorySource } from './category-source.js';
import { certificateError } from './certificates.js';
import { askFeatures, internalsOf } from './client-internals.js';
import { failureOf, isWrongRevision } from './failures.js';
import { fromLeader } from './from-leader.js';
import { allEvents, streamEvents, wholeStream } from './reads.js';
import { reasonOf } from './reasons.js';

export interface EventStoreDbOptions {
  readonly url: Secret;
  /** Shown by the server beside the connection. */
  readonly name: string;
  /** Longest wait for a subscription to be accepted, in milliseconds. */
  readonly acceptMs: number;
}

const withConnectionName = (connectionString: string, name: string): string => {
  if (/[?&]connectionName=/i.test(connectionString)) return connectionString;
  return `${connectionString}${connectionString.includes('?') ? '&' : '?'}connectionName=${encodeURIComponent(name)}`;
};

const longestCloseMs = 1_000;

export class EventStoreDbDriver implements StoreDriver {
  readonly #client: EventStoreDBClient;
  readonly #appends: BatchAppends;
  readonly #acceptMs: number;
  readonly #url: Secret;

  /** Connects lazily: nothing is sent until the first call. */
  constructor({ url, name, acceptMs }: EventStoreDbOptions) {
    this.#client = EventStoreDBClient.connectionString(withConnectionName(url.reveal(), name));
    // The client's own appends have no deadline, and one map keeps those of all clients of a process. An error of one connection
    // forgets all of them. A late answer to a forgotten append then throws in a stream handler, which ends the process.
    this.#appends = new BatchAppends(this.#client);
    this.#acceptMs = acceptMs;
    this.#url = url;
  }

  async append(append: ProposedAppend, deadlineMs: number): Promise<Appended> {
    try {
      return await fromLeader(() => this.#appends.append(append, deadlineMs));
    } catch (error) {
      if (isWrongRevision(error)) throw new WrongRevision(append.stream, { cause: error });
      throw failureOf(error);
    }
  }

  readStream(stream: string, deadlineMs: number): Promise<readonly RawEvent[]> {
    return fromLeader(() => wholeStream(this.#client, stream, deadlineMs));
  }

  streamEvents(read: StreamRead): AsyncGenerator<RawEvent, void, void> {
    return streamEvents(this.#client, read);
  }

  allEvents(read: AllRead): AsyncGenerator<RawEvent, void, void> {
    return allEvents(this.#client, read);
  }

  subscribe(options: SubscriptionOptions): CategorySubscription {
    return new CategorySource(this.#client, options, this.#acceptMs);
  }

  async refusedCertificate(): Promise<string | undefined> {
    return reasonOf(await certificateError(this.#url.reveal()));
  }

  async serverVersion(): Promise<string> {
    return (await askFeatures(this.#client)).serverVersion;
  }

  async close(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([
      this.#hangUp().finally(() => patience.abort()),
      delay(longestCloseMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
  }

  // The client's own `dispose` ends the calls and keeps the connection, which keeps the process.
  async #hangUp(): Promise<void> {
    this.#appends.close();
    await this.#client.dispose();
    (await internalsOf(this.#client).getChannel()).close();
  }
}
