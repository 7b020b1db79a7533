// The result of reading a file, to its end or only its beginning.
import type { FileReport } from '../domain/campaign/campaign-events.js';
import type { Columns } from './columns.js';
import type { ImportOutcome } from './import-types.js';

export interface FileReading {
  /** `cut`: the bounds ended the reading before the file did. */
  readonly outcome: ImportOutcome | { readonly kind: 'cut'; readonly report: FileReport | null };
  /** Null when not even the header was read. */
  readonly columns: Columns | null;
  /** Rows that are not to be called, by reason. */
  readonly refused: Readonly<Record<FileReport['errors'][number]['code'], number>>;
}

/** The bounds of the reading are reached. Thrown and caught inside the reader. */
export class EnoughRead extends Error {
  override readonly name = 'EnoughRead';
}
