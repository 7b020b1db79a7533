// Uploaded documents. A file is kept while a source has it, because sources are read again. Any other file is kept for
// a day.
import { AppError } from '@parlance/errors';
import {
  deleteUnusedUploads,
  fileCounts,
  findUpload,
  type ObjectStorage,
  storageOf,
  uploadPrefix,
} from '@parlance/object-storage';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { limits } from '../reading/limits.js';
import { isFileUsed } from './sources-repository.js';

/** The kind of these uploads, as in their keys. */
const kind = 'knowledge';

export const documentsOf = (organizationId: string): string => uploadPrefix(organizationId, kind);

/** @throws AppError UPLOAD_NOT_FOUND, also for another organization's; UPLOAD_EXPIRED; PAYLOAD_TOO_LARGE; STORAGE_UNAVAILABLE */
export const checkUpload = async (
  { db, storage, clock }: { db: Database; storage: ObjectStorage | undefined; clock: Clock },
  organizationId: string,
  key: string,
): Promise<void> => {
  const upload = { prefix: documentsOf(organizationId), key };
  try {
    await findUpload(storageOf(storage), upload, { maxBytes: limits.fileBytes, now: clock.now() });
  } catch (error) {
    const isOld = error instanceof AppError && error.code === 'UPLOAD_EXPIRED';
    if (!isOld || !(await isFileUsed(db, organizationId, key))) throw error;
  }
};

/** @returns the number of deleted files */
export const deleteUnusedDocuments = ({
  db,
  storage,
  clock,
}: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
}): Promise<number> =>
  deleteUnusedUploads({
    storage,
    clock,
    kind,
    counts: fileCounts(db),
    isUsed: ({ organizationId, key }) => isFileUsed(db, organizationId, key),
  });
