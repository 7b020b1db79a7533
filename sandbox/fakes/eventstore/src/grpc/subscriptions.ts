// Subscriptions to one stream or to $all. Old events come at the subscriber's pace; with new ones it has to keep up.
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventStore } from '../store/event-store.js';
import type { EventStoreFaults } from '../store/faults.js';
import { LogReader } from '../store/log-reader.js';
import type { LogRecord } from '../store/log-record.js';
import { CAUGHT_UP, checkpoint, confirmation, streamName } from '../store/messages.js';
import type { Call } from './call.js';
import { afterWork, beforeWork } from './faulty-work.js';
import { type EventFilter, parseFilter } from './filter.js';
import { LiveOutlet } from './live-outlet.js';
import { ALL_WINDOW_BYTES, askedPosition, SKIPS_PER_TURN } from './read-all.js';

type Options = streams.ReadReq.Options;

interface Subscription {
  readonly store: EventStore;
  readonly options: Options;
  readonly call: Call;
  readonly outlet: LiveOutlet;
  /** Tells the subscriber that nothing is missing, once. */
  readonly onCaughtUp: () => Promise<void>;
}

/**
 * Resolves when the client has ended the subscription. A fault that comes after the work comes here after the subscription has
 * caught up.
 */
export async function subscribe(
  store: EventStore,
  options: Options,
  call: Call,
  faults: EventStoreFaults,
): Promise<void> {
  const fault = faults.take('subscribe');
  await beforeWork(fault, call);
  const outlet = new LiveOutlet(call);
  const onCaughtUp = async (): Promise<void> => {
    call.send(CAUGHT_UP);
    outlet.goLive();
    await afterWork(fault, call);
  };
  call.send(confirmation(randomUUID()));
  const stop = store.log.onCommit(call.wake);
  try {
    const subscription = { store, options, call, outlet, onCaughtUp };
    await (options.hasAll() ? subscribeToAll : subscribeToStream)(subscription);
  } finally {
    stop();
  }
}

async function subscribeToStream({ store, options, call, outlet, onCaughtUp }: Subscription): Promise<void> {
  const asked = options.getStream();
  const stream = streamName(asked?.getStreamIdentifier());
  const fromEnd = asked?.hasEnd() === true;
  let next = asked?.hasRevision() ? Number(asked.getRevision()) + 1 : 0;
  if (fromEnd) next = store.lastCommitted(stream) + 1;
  let caughtUp = false;
  while (!call.closed) {
    store.assertNotTombstoned(stream);
    const seen = store.log.committed;
    if (next <= store.lastCommitted(stream)) {
      for (const record of store.streamEvents(stream, next, 'forwards')) {
        next = record.revision + 1;
        await outlet.send(record.message, () => store.lastCommitted(stream) - record.revision);
        if (call.closed) return;
      }
      next = Math.max(next, store.lastCommitted(stream) + 1);
    }
    // A stream that is not there has no end that could be reached.
    if (!caughtUp && seen === store.log.committed && (fromEnd || store.exists(stream))) {
      caughtUp = true;
      await onCaughtUp();
    }
    await call.until(() => store.log.committed !== seen);
  }
}

async function subscribeToAll({ store, options, call, outlet, onCaughtUp }: Subscription): Promise<void> {
  const filter = parseFilter(options.getFilter());
  const reader = new LogReader(store.log, ALL_WINDOW_BYTES);
  const asked = options.getAll();
  // A subscription begins after the position that it is given.
  const after = asked?.hasPosition() ? askedPosition(reader, asked) : -1;
  let next = asked?.hasEnd() ? store.log.committed : Math.min(Math.max(after, 0), store.log.committed);
  const progress = new FilterProgress(store, filter, call, outlet);
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

/** Sends the events that a filter lets through, and a checkpoint after each `checkpointInterval` of records. */
class FilterProgress {
  private sinceCheckpoint = 0;
  private position = 0;
  private skipped = 0;

  constructor(
    private readonly store: EventStore,
    private readonly filter: EventFilter,
    private readonly call: Call,
    private readonly outlet: LiveOutlet,
  ) {}

  async take(record: LogRecord): Promise<void> {
    this.position = record.position;
    this.sinceCheckpoint += 1;
    if (this.filter.matches(record)) {
      await this.outlet.send(record.message, this.countBehind(record.next));
    } else {
      this.skipped += 1;
      if (this.skipped % SKIPS_PER_TURN === 0) await setImmediate();
    }
    if (this.sinceCheckpoint >= this.filter.checkpointInterval) this.sendCheckpoint();
  }

  /** Reports the position that the filter has reached, if it has looked at any event since the last time. */
  sendCheckpoint(): void {
    if (this.sinceCheckpoint === 0 || this.filter.checkpointInterval === Number.POSITIVE_INFINITY) return;
    this.sinceCheckpoint = 0;
    this.call.send(checkpoint(this.position));
  }

  /** Counts the events that the filter lets through from a position on; looks at each record once. */
  private countBehind(from: number): () => number {
    let reader: LogReader | undefined;
    let next = from;
    let count = 0;
    return () => {
      reader ??= new LogReader(this.store.log, ALL_WINDOW_BYTES);
      for (const record of reader.forwards(next)) {
        next = record.next;
        if (this.filter.matches(record)) count += 1;
      }
      return count;
    };
  }
}
