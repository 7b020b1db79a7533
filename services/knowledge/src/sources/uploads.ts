// Uploaded documents. A file is kept while a source has it, because sources are read again. Any other file is kept for
// a day.
import { AppError } from '@parlance/errors';
import {
  findUpload,
  type ObjectStorage,
  storageOf,
  uploadLifeMs,
  uploadPrefix,
} from '@parlance/object-storage';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/persistence';
import { limits } from '../reading/limits.js';
import { isFileUsed } from './sources-repository.js';

export const documentsOf = (organizationId: string): string => uploadPrefix(organizationId, 'knowledge');

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

interface ExpiryParts {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 60 * 60_000;
const graceMs = 60 * 60_000;
const documents = /^org\/([^/]+)\/knowledge\//;

/** @returns the number of deleted files */
export const deleteUnusedUploads = async ({
  db,
  storage,
  clock,
}: Omit<ExpiryParts, 'logger'>): Promise<number> => {
  const before = clock.now().getTime() - uploadLifeMs - graceMs;
  let deleted = 0;
  for await (const { key, modifiedAt } of storage.list('org/')) {
    const organizationId = documents.exec(key)?.[1];
    if (organizationId === undefined || modifiedAt.getTime() > before) continue;
    if (await isFileUsed(db, organizationId, key)) continue;
    await storage.delete(key);
    deleted += 1;
  }
  return deleted;
};

/** Begins an hour after the start, and again every hour. Any number of copies may do this at once. */
export const startUploadExpiry = (parts: ExpiryParts): RunningPart =>
  startRounds({
    name: 'expiry of uploaded documents',
    firstAfterMs: everyMs,
    everyMs,
    logger: parts.logger,
    round: async () => {
      const deleted = await deleteUnusedUploads(parts);
      if (deleted > 0) parts.logger.info({ deleted }, 'unused uploaded documents were deleted');
    },
  });
