// Counts recordings that were stored without a count: those of a release before, and files that a hand-over named by itself.
import type { ObjectStorage } from '@parlance/object-storage';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';

export interface CountingOptions {
  readonly db: Database;
  readonly storage: Pick<ObjectStorage, 'head'>;
  readonly clock: Clock;
}

const filesAtOnce = 100;
const firstAfterMs = 60_000;
const everyMs = 60 * 60_000;

interface Uncounted {
  readonly storage_key: string;
}

const uncountedAfter = async (db: Database, key: string): Promise<readonly Uncounted[]> => {
  const { rows } = await db.query<Uncounted>(
    `select r.storage_key from recordings r
     left join stored_files f on f.organization_id = r.organization_id and f.storage_key = r.storage_key
     where r.storage_key > $1 and f.storage_key is null order by r.storage_key limit ${filesAtOnce}`,
    [key],
  );
  return rows;
};

/** @returns the number of counted files */
export const countRecordings = async (
  { db, storage, clock }: CountingOptions,
  stopping?: AbortSignal,
): Promise<number> => {
  let counted = 0;
  for (let after = ''; stopping?.aborted !== true; ) {
    const rows = await uncountedAfter(db, after);
    for (const { storage_key: key } of rows) {
      const file = await storage.head(key);
      after = key;
      // A deleted file, whose row waits until no late upload can bring it back.
      if (file === undefined) continue;
      // The row may have been deleted meanwhile, and its file with it.
      const { rowCount } = await db.query(
        `insert into stored_files (organization_id, storage_key, bytes, open_until)
         select organization_id, storage_key, $2, $3 from recordings where storage_key = $1 for share
         on conflict do nothing`,
        [key, file.bytes, clock.now()],
      );
      counted += rowCount;
    }
    if (rows.length < filesAtOnce) break;
  }
  return counted;
};

export const startCountingRecordings = ({
  logger,
  ...options
}: CountingOptions & { readonly logger: Logger }): RunningPart =>
  startRounds({
    name: 'sizes of recordings',
    firstAfterMs,
    everyMs,
    logger,
    round: async (stopping) => {
      const counted = await countRecordings(options, stopping);
      if (counted > 0) logger.info({ counted }, 'recordings counted');
    },
  });
