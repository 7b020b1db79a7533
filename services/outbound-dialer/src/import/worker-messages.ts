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
  /** Which of them must not be called? */
  | { readonly type: 'numbers'; readonly phoneNumbers: readonly string[] }
  | { readonly type: 'reading'; readonly reading: FileReading };

export type ToWorker =
  /** A batch was dealt with. */
  | { readonly type: 'next' }
  /** The answer to the numbers that were sent last. */
  | { readonly type: 'suppressed'; readonly phoneNumbers: ReadonlySet<string> };

/** Batches under way at most: one is written while the next is read. */
export const batchesAhead = 2;
