// Deletes uploaded files a day after their upload, whether a campaign was made of them or not: what a campaign needs of
// its file are rows by then. A file that is still waiting to be read stays. Any number of copies may do this at once.
import { type ObjectStorage, uploadLifeMs } from '@parlance/object-storage';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/persistence';

export interface ExpiryParts {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 60 * 60_000;
/** Longer than an upload can be made a campaign of: a campaign that was just created is not known here yet. */
const graceMs = 60 * 60_000;
const uploads = /^org\/[^/]+\/batches\//;

/** @returns how many were deleted */
export const deleteExpiredUploads = async ({ db, storage, clock }: Omit<ExpiryParts, 'logger'>) => {
  const { rows } = await db.query<{ key: string }>(
    `select state -> 'created' ->> 'sourceFileKey' as key from campaigns where status = 'validating'`,
  );
  const awaited = new Set(rows.map(({ key }) => key));
  const before = clock.now().getTime() - uploadLifeMs - graceMs;
  let deleted = 0;
  for await (const { key, modifiedAt } of storage.list('org/')) {
    if (!uploads.test(key) || modifiedAt.getTime() > before || awaited.has(key)) continue;
    await storage.delete(key);
    deleted += 1;
  }
  return deleted;
};

/** Begins an hour after the start, and again every hour. */
export const startUploadExpiry = (parts: ExpiryParts): RunningPart =>
  startRounds({
    name: 'upload expiry',
    firstAfterMs: everyMs,
    everyMs,
    logger: parts.logger,
    round: async () => {
      const deleted = await deleteExpiredUploads(parts);
      if (deleted > 0) parts.logger.info({ deleted }, 'expired uploads were deleted');
    },
  });
