// The messages between the thread that reads a file and the thread that started it.
import type { FileReading } from './file-reading.js';
import type { ImportRules, ReadingBounds } from './import-types.js';
import type { StoredFile } from './read-file.js';
import type { RecipientBatch } from './recipient-batch.js';

export interface WorkOrder {
  readonly campaignId: string;
  readonly file: StoredFile;
  readonly rules: ImportRules;
  /** Absent: all of the file is read. */
  readonly bounds?: ReadingBounds | undefined;
}

export type FromWorker =
  | { readonly type: 'batch'; readonly batch: RecipientBatch }
  | { readonly type: 'reading'; readonly reading: FileReading };

/** A batch was dealt with. */
export type ToWorker = 'next';

/** Batches under way at most: one is written while the next is read. */
export const batchesAhead = 2;
