// Reads a campaign's file on disk to its end: finds its kind, gives its rows in batches, and reports the errors.
import { open } from 'node:fs/promises';
import type { RefusedRow } from '../recipients/recipient-row.js';
import { readCsv } from './csv-rows.js';
import { EnoughRead, type FileReading } from './file-reading.js';
import type { ImportedRow, ImportRules, ReadingBounds, SuppressedAmong } from './import-types.js';
import { numbersOf, RowReader } from './row-reader.js';
import { FileRefused, refuse } from './sheet/file-refusal.js';
import { readXlsx } from './xlsx-rows.js';

/** Rows are handed over when there are so many, or when so many chunks were read for them: rows may be long. */
const batchRows = 2_000;
const batchChunks = 16;
const startBytes = 4_096;
const zip = [0x50, 0x4b, 0x03, 0x04];
const emptyZip = [0x50, 0x4b, 0x05, 0x06];
/** The first bytes of an Excel file before 2007, and of one with a password. */
const ole = [0xd0, 0xcf, 0x11, 0xe0];

export interface StoredFile {
  readonly path: string;
  /** A directory for temporary files of the reading. */
  readonly directory: string;
}

const startOf = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

const begins = (start: Buffer, magic: readonly number[]): boolean =>
  magic.every((byte, index) => start[index] === byte);

const kindOf = (start: Buffer, fileName: string): 'csv' | 'xlsx' => {
  const extension = fileName.toLowerCase().split('.').at(-1);
  if (begins(start, ole))
    throw refuse(
      'FILE_TYPE_MISMATCH',
      'the file is an old or a protected Excel file: save it as .xlsx or .csv',
    );
  const isZip = begins(start, zip) || begins(start, emptyZip);
  if (isZip && extension === 'csv')
    throw refuse('FILE_TYPE_MISMATCH', 'the file is named .csv but is a spreadsheet or an archive');
  if (!isZip && extension === 'xlsx' && start.length > 0)
    throw refuse('FILE_TYPE_MISMATCH', 'the file is named .xlsx but is no spreadsheet');
  return isZip ? 'xlsx' : 'csv';
};

/** Ends the reading when so many rows were read, or so much time has gone by. */
const keepWithin = (bounds: ReadingBounds | undefined) => {
  const endAt = bounds === undefined ? Number.POSITIVE_INFINITY : performance.now() + bounds.ms;
  return {
    beforeRow: (rowsRead: number): void => {
      if (bounds !== undefined && rowsRead >= bounds.rows) throw new EnoughRead();
    },
    betweenChunks: (): void => {
      if (performance.now() > endAt) throw new EnoughRead();
    },
  };
};

export interface ReadingSteps {
  readonly suppressedAmong: SuppressedAmong;
  /** Rows that may be called, and rows that cannot be. */
  readonly onRows: (rows: readonly ImportedRow[], refused: readonly RefusedRow[]) => Promise<void>;
}

/**
 * Hands the rows to `onRows` and waits for it. The numbers of a batch are looked up while the next rows are read. Never throws for a
 * bad file.
 * @param bounds where a part of the file is enough
 * @returns imported only when the whole file is: after a refusal, the caller must delete the callable rows that it got
 */
export const readFile = async (
  file: StoredFile,
  rules: ImportRules,
  { suppressedAmong, onRows }: ReadingSteps,
  bounds?: ReadingBounds,
): Promise<FileReading> => {
  const reader = new RowReader(rules);
  const within = keepWithin(bounds);
  let chunks = 0;
  let before: Promise<void> = Promise.resolve();
  const settle = async (): Promise<readonly ImportedRow[]> => {
    const rows = reader.takePending();
    const numbers = numbersOf(rows);
    return reader.settle(rows, numbers.length === 0 ? new Set() : await suppressedAmong(numbers));
  };
  const handOver = async (rows: readonly ImportedRow[]): Promise<void> => {
    const refused = reader.takeRefusedRows();
    if (rows.length + refused.length > 0) await onRows(rows, refused);
  };
  /** Batches are settled one after the other: a duplicate is one of an earlier row. */
  const flush = async (): Promise<void> => {
    chunks = 0;
    await before;
    before = settle().then(handOver);
    // Thrown where it is awaited.
    before.catch(() => undefined);
  };
  const sink = (row: Parameters<RowReader['read']>[0]): void => {
    within.beforeRow(reader.rows);
    reader.read(row);
  };
  const pause = async (): Promise<void> => {
    within.betweenChunks();
    chunks += 1;
    if (reader.pendingRows >= batchRows || chunks >= batchChunks) await flush();
  };
  const found = (outcome: FileReading['outcome']): FileReading => ({
    outcome,
    columns: reader.columns ?? null,
    refused: reader.refused,
  });
  try {
    const start = await startOf(file.path);
    const isHeader = (cells: readonly string[]): boolean => reader.isHeader(cells);
    if (kindOf(start, rules.fileName) === 'csv')
      await readCsv({ path: file.path, start, isHeader }, sink, pause);
    else await readXlsx({ ...file, maxInflatedBytes: rules.limits.maxInflatedBytes }, sink, pause);
    await before;
    const rows = await settle();
    const report = reader.finish();
    await handOver(rows);
    return found({ kind: 'imported', report });
  } catch (error) {
    if (error instanceof EnoughRead) {
      await before;
      await handOver(await settle());
      return found({ kind: 'cut', report: reader.report });
    }
    if (!(error instanceof FileRefused)) throw error;
    await before;
    await settle();
    await handOver([]);
    return found({ kind: 'refused', refusal: error.refusal, report: reader.report });
  }
};
