// The truth of the store: an append-only log in segment files. A position is a byte offset over all segments.
// Group commit: appends that arrive while the disk is busy share the next write and its fdatasync.

import { readSync } from 'node:fs';
import { type FileHandle, mkdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import {
  allocate,
  createSegmentFile,
  cutZeros,
  openSegments,
  SEGMENT_HEADER,
  type Segment,
  writeAll,
} from './segment-file.js';

interface Batch {
  readonly segment: Segment;
  readonly frames: Buffer[];
  readonly done: Promise<void>;
  readonly settle: (error?: Error) => void;
}

export interface SegmentLogOptions {
  readonly directory: string;
  /** False leaves flushing to the operating system: a power cut may then lose acknowledged appends. */
  readonly fsync: boolean;
  /** A segment that has reached this many bytes is followed by a new one. */
  readonly segmentBytes: number;
}

/** Append-only log; after a failed write it refuses every further write until it is opened again. */
export class SegmentLog {
  /** Everything before this position is on disk (in the operating system's cache with fsync off). */
  committed = 0;
  private readonly queue: Batch[] = [];
  private readonly commitListeners = new Set<() => void>();
  private working: Batch | undefined;
  private busy = false;
  private draining: Promise<void> = Promise.resolve();
  /** Why writes are refused, once they are. */
  private refusal: Error | undefined;
  private failed = false;

  private constructor(
    private readonly options: SegmentLogOptions,
    private readonly segments: Segment[],
  ) {}

  /** Opens the segments of a directory; call `trimTo` with the end of the valid records before writing. */
  static async open(options: SegmentLogOptions): Promise<SegmentLog> {
    await mkdir(options.directory, { recursive: true });
    const segments = await openSegments(options.directory);
    const log = new SegmentLog(options, segments);
    log.committed = segments.at(-1)?.end ?? 0;
    return log;
  }

  /** Position of the first record. */
  get start(): number {
    return SEGMENT_HEADER.length;
  }

  /** Base of the newest segment: damage before it is not a torn tail. */
  get lastSegmentBase(): number {
    return this.segments.at(-1)?.base ?? 0;
  }

  /** Cuts everything from `end` on; `end` lies in the last segment. */
  async trimTo(end: number): Promise<void> {
    const last = this.segments.at(-1);
    if (last === undefined) return;
    const firstRecord = last.base + SEGMENT_HEADER.length;
    last.end = Math.max(end, firstRecord);
    if (end > firstRecord) await last.file?.truncate(end - last.base);
    else {
      await last.file?.truncate(0);
      await last.file?.write(SEGMENT_HEADER, 0, SEGMENT_HEADER.length, 0);
    }
    await last.file?.datasync();
    last.allocated = last.end - last.base;
    this.committed = last.end;
  }

  /** Throws once a write has failed or the log has been closed. */
  assertWritable(): void {
    if (this.refusal) throw this.refusal;
  }

  /** Where the next frame will start; rolls over to a new segment when the newest is full. */
  nextPosition(): number {
    const last = this.segments.at(-1);
    if (last !== undefined && last.end - last.base < this.options.segmentBytes) return last.end;
    const base = last?.end ?? 0;
    this.segments.push({ base, end: base + SEGMENT_HEADER.length, allocated: 0, file: undefined });
    return base + SEGMENT_HEADER.length;
  }

  /** Queues frames that follow each other from `nextPosition()`; resolves when they are on disk. */
  write(frames: readonly Buffer[]): Promise<void> {
    if (this.refusal) return Promise.reject(this.refusal);
    const segment = this.segments.at(-1);
    if (segment === undefined) throw new Error('nextPosition() comes before write()');
    let batch = this.queue.at(-1);
    if (batch?.segment !== segment) {
      batch = newBatch(segment);
      this.queue.push(batch);
    }
    for (const frame of frames) {
      batch.frames.push(frame);
      segment.end += frame.length;
    }
    if (!this.busy) this.draining = this.drain();
    return batch.done;
  }

  /** Resolves when everything written so far is on disk. */
  settled(): Promise<void> {
    if (this.failed) return Promise.reject(this.refusal);
    return this.queue.at(-1)?.done ?? this.working?.done ?? Promise.resolve();
  }

  /** Calls back after each group commit; returns the way to stop that. */
  onCommit(listener: () => void): () => void {
    this.commitListeners.add(listener);
    return () => this.commitListeners.delete(listener);
  }

  /** The bytes of [from, from + length) that exist, from the one segment that holds `from`. */
  read(from: number, length: number): Buffer {
    const segment = this.segmentAt(from);
    const wanted = Math.min(length, segment.end - from);
    if (wanted <= 0 || segment.file === undefined) return Buffer.alloc(0);
    const bytes = Buffer.allocUnsafeSlow(wanted);
    const got = readSync(segment.file.fd, bytes, 0, wanted, from - segment.base);
    return got === wanted ? bytes : bytes.subarray(0, got);
  }

  /** Where the record that starts at or follows `position` begins, past a segment header if one is in between. */
  skipHeader(position: number): number {
    const { base } = this.segmentAt(position);
    return Math.max(position, base + SEGMENT_HEADER.length);
  }

  /** End of the record before `position`: that of the previous segment when `position` opens one; undefined at the start. */
  endBefore(position: number): number | undefined {
    const { base } = this.segmentAt(position);
    const end = position - base <= SEGMENT_HEADER.length ? base : position;
    return end <= SEGMENT_HEADER.length ? undefined : end;
  }

  /** Base of the segment that `position` ends in: a backward read stops there. */
  baseBefore(position: number): number {
    return this.segmentAt(position - 1).base;
  }

  /** Refuses further writes; queued writes are still written. */
  refuse(reason: Error): void {
    this.refusal ??= reason;
  }

  /** Refuses further writes and resolves when those that were queued are on disk, or have failed. */
  async seal(): Promise<void> {
    this.refuse(new Error('the event store is stopping'));
    await this.draining;
  }

  /** Closes the files, after `seal()`. */
  async close(): Promise<void> {
    const last = this.segments.at(-1);
    if (last !== undefined && last.end === this.committed) await cutZeros(last);
    await Promise.all(this.segments.map((segment) => segment.file?.close()));
  }

  private segmentAt(position: number): Segment {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.segments[middle]?.base ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return this.segments[low] ?? { base: 0, end: 0, allocated: 0, file: undefined };
  }

  private async drain(): Promise<void> {
    this.busy = true;
    // One turn of the event loop lets requests that already sit in sockets join the first batch.
    await setImmediate();
    for (let batch = this.queue.shift(); batch !== undefined; batch = this.queue.shift()) {
      this.working = batch;
      try {
        await this.writeBatch(batch);
      } catch (cause) {
        this.fail(batch, cause);
        break;
      }
      this.working = undefined;
      batch.settle();
      for (const listener of this.commitListeners) listener();
      if (this.queue.length > 0) await setImmediate();
    }
    this.working = undefined;
    this.busy = false;
  }

  private async writeBatch({ segment, frames }: Batch): Promise<void> {
    const bytes = Buffer.concat(frames);
    const fileStart = segment.file === undefined ? SEGMENT_HEADER.length : this.committed - segment.base;
    const file = segment.file ?? (await this.roll(segment));
    const fileEnd = fileStart + bytes.length;
    await writeAll(file, bytes, fileStart);
    if (this.options.fsync) {
      if (fileEnd > segment.allocated) await allocate(segment, file, fileEnd, this.options.segmentBytes);
      await file.datasync();
    }
    this.committed = segment.base + fileEnd;
  }

  /** Makes the file of a segment that follows others. */
  private async roll(segment: Segment): Promise<FileHandle> {
    // A segment that another follows ends with its last record; the next start relies on it.
    const before = this.segments[this.segments.indexOf(segment) - 1];
    if (before !== undefined) await cutZeros(before);
    segment.file = await createSegmentFile(this.options.directory, segment.base, this.options.fsync);
    return segment.file;
  }

  private fail(batch: Batch, cause: unknown): void {
    this.failed = true;
    this.refusal = new Error('the event log cannot be written; appends are refused until a restart', {
      cause,
    });
    for (const waiting of [batch, ...this.queue.splice(0)]) waiting.settle(this.refusal);
  }
}

function newBatch(segment: Segment): Batch {
  let settle: Batch['settle'] = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve());
  });
  // Writers and readers may all have gone by the time a write fails; that must not end the process.
  done.catch(() => undefined);
  return { segment, frames: [], done, settle };
}
