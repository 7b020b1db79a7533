// Streams/Read: finite reads of one stream or of $all. A subscription is the same call on the wire.
import { setImmediate } from 'node:timers/promises';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { InvalidRequestError, NotImplementedError } from '../store/errors.js';
import type { Direction, EventStore } from '../store/event-store.js';
import type { EventStoreFaults } from '../store/faults.js';
import { LogReader } from '../store/log-reader.js';
import { streamName, streamNotFound } from '../store/messages.js';
import { ALL, assertMayRead } from './access.js';
import type { Call } from './call.js';
import { faultyWork } from './faulty-work.js';
import { parseFilter } from './filter.js';
import { ALL_WINDOW_BYTES, askedPosition, SKIPS_PER_TURN } from './read-all.js';
import { GrpcError, STATUS } from './status.js';
import { subscribe } from './subscriptions.js';

type Options = streams.ReadReq.Options;

/** Server stream; resolves when a read is done, or when the client has ended a subscription. */
export async function read(store: EventStore, call: Call, faults: EventStoreFaults): Promise<void> {
  const options = streams.ReadReq.deserializeBinary(await call.request()).getOptions();
  if (options === undefined) throw new InvalidRequestError('a read needs options');
  if (options.getUuidOption()?.hasStructured()) {
    throw new NotImplementedError('structured ids are not implemented: ask for ids as strings');
  }
  const stream = options.hasAll() ? ALL : streamName(options.getStream()?.getStreamIdentifier());
  assertMayRead(store, stream, call.caller);
  if (options.hasSubscription()) return subscribe(store, options, call, faults);
  await faultyWork(faults.take('read'), call, () => {
    const messages = options.hasAll() ? readAll(store, options) : readStream(store, options);
    return sendAll(call, messages, Number(options.getCount()));
  });
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
  const direction = directionOf(options);
  if (asked?.hasEnd() && direction === 'forwards') {
    // EventStoreDB takes the end for revision -1 there, and refuses that before it looks for the stream.
    throw new GrpcError(STATUS.UNKNOWN, 'Unexpected ReadStreamResult: Error');
  }
  if (!store.exists(stream)) {
    yield streamNotFound(stream);
    return;
  }
  let from = asked?.hasRevision() ? Number(asked.getRevision()) : 0;
  if (asked?.hasEnd()) from = store.lastCommitted(stream);
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
