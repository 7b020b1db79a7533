// The truth of the store: an append-only log in segment files. A position is a byte offset over all segments.
// Group commit: appends that arrive while the disk is busy share the next write and its fdatasync. Files are made
// longer ahead of time, with zeros: to make a file longer takes the disk several times as long as to fill it.

import { readSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** Every segment starts with this; its length also keeps position 0 free, which clients use for "from the start". */
const SEGMENT_HEADER = Buffer.from('PARLANCE-ESLOG-1');
const ALLOCATION_BYTES = 1024 * 1024;
const SEGMENT_NAME = /^log-(\d{16})\.seg$/;

interface Segment {
  readonly base: number;
  /** Position after the last byte assigned to this segment. */
  end: number;
  /** Length of the file: what lies behind the last record is zeros. */
  allocated: number;
  file: FileHandle | undefined;
}

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
    const names = (await readdir(options.directory)).filter((name) => SEGMENT_NAME.test(name)).sort();
    const segments: Segment[] = [];
    for (const name of names) {
      const base = Number(SEGMENT_NAME.exec(name)?.[1]);
      const path = join(options.directory, name);
      const before = segments.at(-1);
      if (base !== (before?.end ?? 0))
        throw new Error(`event log: the segment before ${name} is missing or cut short`);
      const file = await open(path, 'r+');
      const { size } = await stat(path);
      segments.push({ base, end: base + size, allocated: size, file });
    }
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

  /** Refuses further writes; what was queued is still written. */
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
    if (last !== undefined && last.end === this.committed) await this.cut(last);
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
    const file = segment.file ?? (await this.createFile(segment));
    const fileEnd = fileStart + bytes.length;
    await writeAll(file, bytes, fileStart);
    if (this.options.fsync) {
      if (fileEnd > segment.allocated) await this.allocate(segment, file, fileEnd);
      await file.datasync();
    }
    this.committed = segment.base + fileEnd;
  }

  /** Makes the file longer than it needs to be, but not longer than a segment. */
  private async allocate(segment: Segment, file: FileHandle, fileEnd: number): Promise<void> {
    segment.allocated = Math.max(fileEnd, Math.min(fileEnd + ALLOCATION_BYTES, this.options.segmentBytes));
    await writeAll(file, Buffer.alloc(segment.allocated - fileEnd), fileEnd);
  }

  /** Cuts the zeros behind the last record off. */
  private async cut({ base, end, allocated, file }: Segment): Promise<void> {
    if (file === undefined || allocated <= end - base) return;
    await file.truncate(end - base);
    await file.datasync();
  }

  private async createFile(segment: Segment): Promise<FileHandle> {
    // A segment that another follows ends with its last record; the next start relies on it.
    const before = this.segments[this.segments.indexOf(segment) - 1];
    if (before !== undefined) await this.cut(before);
    const name = `log-${String(segment.base).padStart(16, '0')}.seg`;
    const file = await open(join(this.options.directory, name), 'wx+');
    await file.write(SEGMENT_HEADER, 0, SEGMENT_HEADER.length, 0);
    if (this.options.fsync) {
      // The directory entry must be as durable as the records that the file will hold.
      const directory = await open(this.options.directory, 'r');
      await directory.sync().finally(() => directory.close());
    }
    segment.file = file;
    return file;
  }

  private fail(batch: Batch, cause: unknown): void {
    this.failed = true;
    this.refusal = new Error('the event log cannot be written; appends are refused until a restart', {
      cause,
    });
    for (const waiting of [batch, ...this.queue.splice(0)]) waiting.settle(this.refusal);
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
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
