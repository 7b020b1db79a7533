// Brings log and index together at start. It cuts a torn tail off the log, and applies the records that the index has
// not seen.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LogReader } from './log-reader.js';
import { CorruptRecordError, type LogRecord } from './log-record.js';
import type { SegmentLog } from './segment-log.js';
import type { StreamIndex } from './stream-index.js';

const WINDOW_BYTES = 1024 * 1024;
const FLUSH_RECORDS = 50_000;

/** The repairs that a start made. */
export interface Recovery {
  /** Records read from the log because the index did not have them. */
  readonly replayed: number;
  /** Bytes of a torn, never acknowledged append that were cut off; they are kept in a file beside the log. */
  readonly cutBytes: number;
}

/** Applies every whole append after the index's end; throws when the damage found is not a torn tail. */
export async function recover(log: SegmentLog, index: StreamIndex, directory: string): Promise<Recovery> {
  let replayed = 0;
  let end = index.appliedUpTo;
  let appending: LogRecord[] = [];
  for (const record of soundRecords(log, end)) {
    appending.push(record);
    if (!record.endsAppend) continue;
    for (const whole of appending) index.apply(whole);
    replayed += appending.length;
    appending = [];
    end = record.next;
    if (index.unflushed >= FLUSH_RECORDS) index.flushSync();
  }
  if (end < log.lastSegmentBase) {
    throw new Error(
      `event log: the record at ${end} is damaged and others follow it; restore the directory from a copy`,
    );
  }
  const torn = withoutZeros(log.read(log.skipHeader(end), log.committed - end));
  if (torn.length > 0) await writeFile(join(directory, `cut-at-${end}.bin`), torn);
  await log.trimTo(end);
  if (index.unflushed > 0) index.flushSync();
  return { replayed, cutBytes: torn.length };
}

/** The bytes without trailing zeros: the log's file is longer than its records, and the rest is zeros. */
function withoutZeros(bytes: Buffer): Buffer {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  return bytes.subarray(0, length);
}

/** Records from `position` to the end or to the first that is not sound. */
function* soundRecords(log: SegmentLog, position: number): Generator<LogRecord> {
  try {
    yield* new LogReader(log, WINDOW_BYTES).forwards(position);
  } catch (error) {
    if (!(error instanceof CorruptRecordError)) throw error;
  }
}
