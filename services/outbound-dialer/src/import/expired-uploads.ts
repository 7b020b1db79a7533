// Deletes the files of campaigns a day after their upload, because a campaign keeps its recipients as rows. A file that is
// still waiting to be read stays.
import { deleteUnusedUploads, fileCounts, type UploadExpiry } from '@parlance/object-storage';
import type { Database } from '@parlance/postgres';
import { uploadKind } from './uploads.js';

export interface ExpiryParts extends Pick<UploadExpiry, 'storage' | 'clock'> {
  readonly db: Database;
}

/** @returns the number of deleted files */
export const deleteExpiredUploads = async ({ db, storage, clock }: ExpiryParts): Promise<number> => {
  const { rows } = await db.query<{ key: string }>(
    `select state -> 'created' ->> 'sourceFileKey' as key from campaigns where status = 'validating'`,
  );
  const awaited = new Set(rows.map(({ key }) => key));
  return deleteUnusedUploads({
    storage,
    clock,
    kind: uploadKind,
    counts: fileCounts(db),
    isUsed: async ({ key }) => awaited.has(key),
  });
};
