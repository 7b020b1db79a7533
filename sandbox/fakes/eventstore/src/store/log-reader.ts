// Walks the log in either direction through a window of bytes, so that neighbouring records share one system call.
import {
  bodyLength,
  CorruptRecordError,
  decodeFrame,
  FRAME_HEAD_BYTES,
  FRAME_TAIL_BYTES,
  type LogRecord,
} from './log-record.js';
import type { SegmentLog } from './segment-log.js';

const FRAME_BYTES = FRAME_HEAD_BYTES + FRAME_TAIL_BYTES;

export class LogReader {
  private window: Buffer = Buffer.alloc(0);
  private windowStart = 0;

  constructor(
    private readonly log: SegmentLog,
    private readonly windowBytes: number,
  ) {}

  /** The record that starts at `position` or, where a segment starts there, its first. Throws CorruptRecordError. */
  at(position: number): LogRecord {
    const start = this.log.skipHeader(position);
    const length = bodyLength(this.forward(start, FRAME_HEAD_BYTES), start);
    return decodeFrame(this.forward(start, length + FRAME_BYTES), start);
  }

  /** The record that ends at `position`; undefined at the start of the log. Throws CorruptRecordError. */
  before(position: number): LogRecord | undefined {
    const end = this.log.endBefore(position);
    if (end === undefined) return undefined;
    const length = bodyLength(this.backward(end, FRAME_TAIL_BYTES), end);
    return decodeFrame(this.backward(end, length + FRAME_BYTES), end - length - FRAME_BYTES);
  }

  /** Committed records from `position` on, oldest first. */
  *forwards(position: number): Generator<LogRecord> {
    for (let next = position; this.log.skipHeader(next) < this.log.committed; ) {
      const record = this.at(next);
      yield record;
      next = record.next;
    }
  }

  /** Records that start before `position`, newest first. */
  *backwards(position: number): Generator<LogRecord> {
    let record = this.before(Math.min(position, this.log.committed));
    while (record !== undefined) {
      yield record;
      record = this.before(record.position);
    }
  }

  /** Whether a record starts at `position` (positions at or past the end, and before the first record, count as true). */
  isBoundary(position: number): boolean {
    if (position <= this.log.start || this.log.skipHeader(position) >= this.log.committed) return true;
    try {
      this.at(position);
      return true;
    } catch (error) {
      if (error instanceof CorruptRecordError) return false;
      throw error;
    }
  }

  private forward(from: number, length: number): Buffer {
    if (from < this.windowStart || from + length > this.windowStart + this.window.length) {
      this.windowStart = from;
      const readable = Math.max(length, Math.min(this.windowBytes, this.log.committed - from));
      this.window = this.log.read(from, readable);
    }
    return this.slice(from, length);
  }

  private backward(end: number, length: number): Buffer {
    const from = end - length;
    if (from < this.windowStart || end > this.windowStart + this.window.length) {
      this.windowStart = Math.max(this.log.baseBefore(end), end - Math.max(length, this.windowBytes));
      this.window = this.log.read(this.windowStart, end - this.windowStart);
    }
    return this.slice(from, length);
  }

  private slice(from: number, length: number): Buffer {
    return this.window.subarray(from - this.windowStart, from - this.windowStart + length);
  }
}
