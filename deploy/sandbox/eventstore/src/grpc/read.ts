// Streams/Read: finite reads and subscriptions, of one stream or of $all, all the same call on the wire.
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { InvalidRequestError, NotImplementedError } from '../errors.js';
import type { Direction, EventStore } from '../event-store.js';
import type { EventStoreFaults } from '../faults.js';
import { LogReader } from '../log-reader.js';
import type { LogRecord } from '../log-record.js';
import { CAUGHT_UP, checkpoint, confirmation, streamName, streamNotFound } from '../messages.js';
import type { Call } from './call.js';
import { afterWork, beforeWork, faultyWork } from './faulty-work.js';
import { type EventFilter, parseFilter } from './filter.js';

type Options = streams.ReadReq.Options;

/** Bytes of log that a read of $all takes from disk at a time. */
const ALL_WINDOW_BYTES = 128 * 1024;
/** Records that may be skipped in one go before other calls get their turn. */
const SKIPS_PER_TURN = 1000;

/** Server stream; resolves when a read is done, or when the client has ended a subscription. */
export async function read(store: EventStore, call: Call, faults: EventStoreFaults): Promise<void> {
  const options = streams.ReadReq.deserializeBinary(await call.request()).getOptions();
  if (options === undefined) throw new InvalidRequestError('a read needs options');
  if (options.getUuidOption()?.hasStructured()) {
    throw new NotImplementedError('structured ids are not implemented: ask for ids as strings');
  }
  if (options.hasSubscription()) return subscribe(store, options, call, faults);
  await faultyWork(faults.take('read'), call, () => {
    const messages = options.hasAll() ? readAll(store, options) : readStream(store, options);
    return sendAll(call, messages, Number(options.getCount()));
  });
}

/** What a fault does after the work, it does to a subscription when that has caught up. */
async function subscribe(
  store: EventStore,
  options: Options,
  call: Call,
  faults: EventStoreFaults,
): Promise<void> {
  const fault = faults.take('subscribe');
  await beforeWork(fault, call);
  const caughtUp = async (): Promise<void> => {
    call.send(CAUGHT_UP);
    await afterWork(fault, call);
  };
  call.send(confirmation(randomUUID()));
  const stop = store.log.onCommit(call.wake);
  try {
    await (options.hasAll() ? subscribeToAll : subscribeToStream)(store, options, call, caughtUp);
  } finally {
    stop();
  }
}

/** Sends up to `limit` messages; an undefined one was filtered out and only counts towards other calls' turns. */
async function sendAll(call: Call, messages: Iterable<Buffer | undefined>, limit: number): Promise<void> {
  let sent = 0;
  let skipped = 0;
  if (limit === 0) return;
  for (const message of messages) {
    if (message === undefined) {
      skipped += 1;
      if (skipped % SKIPS_PER_TURN === 0) await setImmediate();
    } else {
      if (!call.send(message)) await call.drained();
      sent += 1;
    }
    if (sent === limit || call.closed) return;
  }
}

const directionOf = (options: Options): Direction =>
  options.getReadDirection() === 0 ? 'forwards' : 'backwards';

function* readStream(store: EventStore, options: Options): Generator<Buffer> {
  const asked = options.getStream();
  const stream = streamName(asked?.getStreamIdentifier());
  if (!store.exists(stream)) {
    yield streamNotFound(stream);
    return;
  }
  let from = asked?.hasRevision() ? Number(asked.getRevision()) : 0;
  const direction = directionOf(options);
  // The end is behind the newest event: nothing follows it forwards, everything precedes it.
  if (asked?.hasEnd()) from = store.lastCommitted(stream) + (direction === 'forwards' ? 1 : 0);
  for (const record of store.streamEvents(stream, from, direction)) yield record.message;
}

function* readAll(store: EventStore, options: Options): Generator<Buffer | undefined> {
  const filter = parseFilter(options.getFilter());
  const reader = new LogReader(store.log, ALL_WINDOW_BYTES);
  const asked = options.getAll();
  const from = asked?.hasEnd() ? store.log.committed : askedPosition(reader, asked);
  const records = directionOf(options) === 'forwards' ? reader.forwards(from) : reader.backwards(from);
  for (const record of records) yield filter.matches(record) ? record.message : undefined;
}

/** The position to begin at, 0 for the start; throws InvalidRequestError where no record starts. */
function askedPosition(reader: LogReader, asked: streams.ReadReq.Options.AllOptions | undefined): number {
  const position = Number(asked?.getPosition()?.getCommitPosition() ?? 0);
  if (!reader.isBoundary(position)) throw new InvalidRequestError(`no event starts at position ${position}`);
  return position;
}

async function subscribeToStream(
  store: EventStore,
  options: Options,
  call: Call,
  onCaughtUp: () => Promise<void>,
): Promise<void> {
  const asked = options.getStream();
  const stream = streamName(asked?.getStreamIdentifier());
  let next = asked?.hasRevision() ? Number(asked.getRevision()) + 1 : 0;
  if (asked?.hasEnd()) next = store.lastCommitted(stream) + 1;
  let caughtUp = false;
  while (!call.closed) {
    store.assertNotTombstoned(stream);
    const seen = store.log.committed;
    if (next <= store.lastCommitted(stream)) {
      for (const record of store.streamEvents(stream, next, 'forwards')) {
        if (!call.send(record.message)) await call.drained();
        if (call.closed) return;
        next = record.revision + 1;
      }
      next = Math.max(next, store.lastCommitted(stream) + 1);
    }
    if (!caughtUp && seen === store.log.committed) {
      caughtUp = true;
      await onCaughtUp();
    }
    await call.until(() => store.log.committed !== seen);
  }
}

async function subscribeToAll(
  store: EventStore,
  options: Options,
  call: Call,
  onCaughtUp: () => Promise<void>,
): Promise<void> {
  const filter = parseFilter(options.getFilter());
  const reader = new LogReader(store.log, ALL_WINDOW_BYTES);
  const asked = options.getAll();
  // A subscription begins after the position that it is given.
  const after = asked?.hasPosition() ? askedPosition(reader, asked) : -1;
  let next = asked?.hasEnd() ? store.log.committed : Math.min(Math.max(after, 0), store.log.committed);
  const progress = new FilterProgress(filter, call);
  let caughtUp = false;
  while (!call.closed) {
    const seen = store.log.committed;
    for (const record of reader.forwards(next)) {
      next = record.next;
      if (record.position <= after) continue;
      await progress.take(record);
      if (call.closed) return;
    }
    if (!caughtUp && seen === store.log.committed) {
      caughtUp = true;
      progress.sendCheckpoint();
      await onCaughtUp();
    }
    await call.until(() => store.log.committed !== seen);
  }
}

/** Sends what a filter lets through, and a checkpoint after every so many records that it has looked at. */
class FilterProgress {
  private sinceCheckpoint = 0;
  private position = 0;
  private skipped = 0;

  constructor(
    private readonly filter: EventFilter,
    private readonly call: Call,
  ) {}

  async take(record: LogRecord): Promise<void> {
    this.position = record.position;
    this.sinceCheckpoint += 1;
    if (this.filter.matches(record)) {
      if (!this.call.send(record.message)) await this.call.drained();
    } else {
      this.skipped += 1;
      if (this.skipped % SKIPS_PER_TURN === 0) await setImmediate();
    }
    if (this.sinceCheckpoint >= this.filter.checkpointInterval) this.sendCheckpoint();
  }

  /** Tells how far the filter has looked, if it has looked at anything since the last time. */
  sendCheckpoint(): void {
    if (this.sinceCheckpoint === 0 || this.filter.checkpointInterval === Number.POSITIVE_INFINITY) return;
    this.sinceCheckpoint = 0;
    this.call.send(checkpoint(this.position));
  }
}
