// The files of the log. They are made longer ahead of time, with zeros. To make a file longer takes the disk several
// times as long as to write into it.
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Every segment starts with this; its length also keeps position 0 free, which clients use for "from the start". */
export const SEGMENT_HEADER = Buffer.from('PARLANCE-ESLOG-1');
const ALLOCATION_BYTES = 1024 * 1024;
const SEGMENT_NAME = /^log-(\d{16})\.seg$/;

export interface Segment {
  readonly base: number;
  /** Position after the last byte assigned to this segment. */
  end: number;
  /** Length of the file: the bytes behind the last record are zeros. */
  allocated: number;
  file: FileHandle | undefined;
}

/** Opens the segments of a directory in their order; throws when one is missing in between. */
export async function openSegments(directory: string): Promise<Segment[]> {
  const names = (await readdir(directory)).filter((name) => SEGMENT_NAME.test(name)).sort();
  const segments: Segment[] = [];
  for (const name of names) {
    const base = Number(SEGMENT_NAME.exec(name)?.[1]);
    const path = join(directory, name);
    if (base !== (segments.at(-1)?.end ?? 0))
      throw new Error(`event log: the segment before ${name} is missing or cut short`);
    const file = await open(path, 'r+');
    const { size } = await stat(path);
    segments.push({ base, end: base + size, allocated: size, file });
  }
  return segments;
}

/** Makes the file of a segment; with fsync it is there after a power cut too. */
export async function createSegmentFile(
  directory: string,
  base: number,
  fsync: boolean,
): Promise<FileHandle> {
  const name = `log-${String(base).padStart(16, '0')}.seg`;
  const file = await open(join(directory, name), 'wx+');
  await file.write(SEGMENT_HEADER, 0, SEGMENT_HEADER.length, 0);
  if (fsync) {
    // The directory entry must be as durable as the records that the file will hold.
    const entries = await open(directory, 'r');
    await entries.sync().finally(() => entries.close());
  }
  return file;
}

export async function writeAll(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
  }
}

/** Makes a file that is written up to `fileEnd` longer than it needs to be, but not longer than a segment. */
export async function allocate(
  segment: Segment,
  file: FileHandle,
  fileEnd: number,
  segmentBytes: number,
): Promise<void> {
  segment.allocated = Math.max(fileEnd, Math.min(fileEnd + ALLOCATION_BYTES, segmentBytes));
  await writeAll(file, Buffer.alloc(segment.allocated - fileEnd), fileEnd);
}

/** Cuts the zeros behind the last record off. */
export async function cutZeros({ base, end, allocated, file }: Segment): Promise<void> {
  if (file === undefined || allocated <= end - base) return;
  await file.truncate(end - base);
  await file.datasync();
}
