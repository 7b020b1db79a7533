// Deletes uploaded files that nothing uses a day after their upload. Any number of copies of a service may do this at
// once.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { ObjectStorage } from './object-storage.js';
import { organizationsFolder, uploadLifeMs, uploadPrefix } from './uploads.js';

export interface UploadExpiry {
  readonly storage: Pick<ObjectStorage, 'folders' | 'list' | 'delete'>;
  readonly clock: Clock;
  /** The kind of the uploads, as in their keys. */
  readonly kind: string;
  /** True for a file that has to stay. */
  readonly isUsed: (upload: { readonly organizationId: string; readonly key: string }) => Promise<boolean>;
}

const everyMs = 60 * 60_000;
/** Longer than a request takes that began in the last moment of an upload's life. */
const graceMs = 60 * 60_000;

/**
 * Lists each organization's uploads of this kind alone: recordings lie beside them, and their number grows for ever.
 * @returns the number of deleted files
 */
export const deleteUnusedUploads = async ({
  storage,
  clock,
  kind,
  isUsed,
}: UploadExpiry): Promise<number> => {
  const before = clock.now().getTime() - uploadLifeMs - graceMs;
  let deleted = 0;
  for await (const folder of storage.folders(organizationsFolder)) {
    const organizationId = folder.slice(organizationsFolder.length, -1);
    for await (const { key, modifiedAt } of storage.list(uploadPrefix(organizationId, kind))) {
      if (modifiedAt.getTime() > before || (await isUsed({ organizationId, key }))) continue;
      await storage.delete(key);
      deleted += 1;
    }
  }
  return deleted;
};

/** Begins an hour after the start, and again every hour. */
export const startUploadExpiry = ({
  logger,
  deleteExpired,
}: {
  readonly logger: Logger;
  /** Resolves with the number of deleted files. */
  readonly deleteExpired: () => Promise<number>;
}): RunningPart =>
  startRounds({
    name: 'upload expiry',
    firstAfterMs: everyMs,
    everyMs,
    logger,
    round: async () => {
      const deleted = await deleteExpired();
      if (deleted > 0) logger.info({ deleted }, 'expired uploads were deleted');
    },
  });
