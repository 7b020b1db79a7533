// Deletes uploaded files that nothing uses a day after their upload, and counts the others. Any number of replicas of a service may
// do this at once.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { ObjectStorage, StoredObject } from './object-storage.js';
import type { FileCounts } from './stored-files.js';
import { organizationsFolder, uploadLifeMs, uploadPrefix } from './uploads.js';

export interface UploadExpiry {
  readonly storage: Pick<ObjectStorage, 'folders' | 'list' | 'delete'>;
  readonly clock: Clock;
  /** The kind of the uploads, as in their keys. */
  readonly kind: string;
  /** True for a file that has to stay. */
  readonly isUsed: (upload: { readonly organizationId: string; readonly key: string }) => Promise<boolean>;
  readonly counts: FileCounts;
}

const everyMs = 60 * 60_000;
/** Longer than a request takes that began in the last moment of an upload's life. */
const graceMs = 60 * 60_000;

/** Organizations with files of any kind, and those whose files are gone and still counted. */
const organizationsOf = async ({ storage, counts }: UploadExpiry): Promise<ReadonlySet<string>> => {
  const found = new Set(await counts.organizations());
  for await (const folder of storage.folders(organizationsFolder))
    found.add(folder.slice(organizationsFolder.length, -1));
  return found;
};

/**
 * Lists each organization's uploads of this kind alone: recordings lie beside them, and their number grows for ever.
 * @returns the number of deleted files
 */
export const deleteUnusedUploads = async (expiry: UploadExpiry): Promise<number> => {
  const { storage, clock, kind, isUsed, counts } = expiry;
  let deleted = 0;
  for (const organizationId of await organizationsOf(expiry)) {
    const listedAt = clock.now();
    const before = listedAt.getTime() - uploadLifeMs - graceMs;
    const prefix = uploadPrefix(organizationId, kind);
    const kept: StoredObject[] = [];
    for await (const file of storage.list(prefix)) {
      const { key, modifiedAt } = file;
      if (modifiedAt.getTime() > before || (await isUsed({ organizationId, key }))) {
        kept.push(file);
        continue;
      }
      await storage.delete(key);
      deleted += 1;
    }
    await counts.reconcile(organizationId, prefix, kept, listedAt);
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
