// Open cursors: the remaining documents of a find or an aggregation, kept until they are read, killed or forgotten.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Long } from 'bson';
import { CommandError } from './errors.js';
import { PAUSE } from './query.js';
import { CursorReply } from './wire.js';

const FIRST_BATCH = 101;
const BATCH_BYTES = 15 * 1024 * 1024;
const IDLE_MS = 10 * 60 * 1000;

/** The input of a cursor: encoded documents, with pauses. */
export type Source = Iterator<Buffer | typeof PAUSE>;

interface OpenCursor {
  readonly ns: string;
  readonly source: Source;
  /** A document read ahead to learn that there is more, or one that no longer fitted in the last batch. */
  pending: Buffer | undefined;
  usedAt: number;
}

/** The cursors of one server. */
export class Cursors {
  private readonly open = new Map<string, OpenCursor>();
  private lastId = Long.fromNumber(Date.now()).shiftLeft(16);

  /** The first reply of a query; a cursor stays open if there is more. `single` closes it after this batch. */
  async first(ns: string, source: Source, batchSize = FIRST_BATCH, single = false): Promise<CursorReply> {
    const cursor: OpenCursor = { ns, source, pending: undefined, usedAt: Date.now() };
    const batch = await fill(cursor, batchSize);
    if (single || (await isDone(cursor))) return new CursorReply(ns, 'firstBatch', batch, Long.ZERO);
    this.forgetIdle();
    this.lastId = this.lastId.add(1);
    this.open.set(this.lastId.toString(), cursor);
    return new CursorReply(ns, 'firstBatch', batch, this.lastId);
  }

  /** The next batch; throws CursorNotFound. */
  async next(id: Long, batchSize: number): Promise<CursorReply> {
    const cursor = this.open.get(id.toString());
    if (cursor === undefined) throw new CommandError(43, `cursor id ${id.toString()} not found`);
    // Taken out meanwhile, so that two getMores cannot read one cursor at the same time.
    this.open.delete(id.toString());
    const batch = await fill(cursor, batchSize === 0 ? Number.POSITIVE_INFINITY : batchSize);
    if (await isDone(cursor)) return new CursorReply(cursor.ns, 'nextBatch', batch, Long.ZERO);
    cursor.usedAt = Date.now();
    this.open.set(id.toString(), cursor);
    return new CursorReply(cursor.ns, 'nextBatch', batch, id);
  }

  /** Closes a cursor; false if there is none. */
  kill(id: Long): boolean {
    this.open.get(id.toString())?.source.return?.();
    return this.open.delete(id.toString());
  }

  private forgetIdle(): void {
    for (const [id, cursor] of this.open) if (Date.now() - cursor.usedAt > IDLE_MS) this.open.delete(id);
  }
}

async function read(cursor: OpenCursor): Promise<Buffer | undefined> {
  if (cursor.pending !== undefined) {
    const { pending } = cursor;
    cursor.pending = undefined;
    return pending;
  }
  for (;;) {
    const { value, done } = cursor.source.next();
    if (done === true) return undefined;
    if (value !== PAUSE) return value;
    await nextTurn();
  }
}

async function fill(cursor: OpenCursor, batchSize: number): Promise<Buffer[]> {
  const batch: Buffer[] = [];
  let bytes = 0;
  while (batch.length < batchSize) {
    const raw = await read(cursor);
    if (raw === undefined) break;
    bytes += raw.length + 12;
    if (bytes > BATCH_BYTES && batch.length > 0) {
      cursor.pending = raw;
      break;
    }
    batch.push(raw);
  }
  return batch;
}

async function isDone(cursor: OpenCursor): Promise<boolean> {
  cursor.pending = await read(cursor);
  return cursor.pending === undefined;
}
