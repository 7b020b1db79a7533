// Drops the read models of release 0.2.0, which hold numbers, names and words in the clear, once the sealed ones are complete and
// no replica of that release can run any more.
import { type EventStoreConnection, untilCaughtUp } from '@parlance/event-sourcing';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { mongoGuard } from '@parlance/postgres/mongo';
import type { Db } from 'mongodb';
import { callDocuments, callSearch } from '../projections.js';
import { dropUnsealedDocuments, unsealedDocumentsId } from './unsealed-documents.js';
import { unsealedSearchId, unsealedSearchTables } from './unsealed-search.js';

export interface DropOptions {
  readonly db: Database;
  readonly mongo: Db;
  readonly eventStore: EventStoreConnection;
  readonly clock: Clock;
}

const ids = [unsealedDocumentsId, unsealedSearchId];
/** A rolling update, or the decision to go back, takes less. */
const keptHours = 24;
const everyMs = 10 * 60_000;

/** True while this installation has read models of release 0.2.0. */
export const hasUnsealed = async (db: Database): Promise<boolean> => {
  const { rowCount } = await db.query('select 1 from projection_checkpoints where id = any($1) limit 1', [
    ids,
  ]);
  return rowCount > 0;
};

const isInUse = async (db: Database, now: Date): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select 1 from projection_checkpoints where id = any($1) and updated_at > $2
     union all select 1 from unsealed_read_models where sealed_since > $2`,
    [ids, new Date(now.getTime() - keptHours * 60 * 60_000)],
  );
  return rowCount > 0;
};

/** @returns false while they have to stay */
export const dropUnsealed = async ({ db, mongo, eventStore, clock }: DropOptions): Promise<boolean> => {
  if (!(await hasUnsealed(db))) return true;
  if (await isInUse(db, clock.now())) return false;
  for (const model of [callDocuments, callSearch]) await untilCaughtUp({ db, eventStore, ...model });
  await dropUnsealedDocuments(mongo);
  await mongoGuard(() =>
    mongo.collection<{ readonly _id: string }>('read_models').deleteOne({ _id: unsealedDocumentsId }),
  );
  await db.transaction(async (tx) => {
    await tx.query(`truncate ${unsealedSearchTables.join(', ')}`);
    await tx.query('delete from projection_dead_letters where projection_id = any($1)', [ids]);
    // Last: while they are there, all of this is done again.
    await tx.query('delete from projection_checkpoints where id = any($1)', [ids]);
  });
  return true;
};

/** Starts at once. @param dropped is called when nothing is there any more */
export const startDroppingUnsealed = (
  options: DropOptions & { readonly logger: Logger },
  dropped: () => void,
): RunningPart =>
  startRounds({
    name: 'read models in the clear',
    everyMs,
    logger: options.logger,
    round: async () => {
      if (await dropUnsealed(options)) dropped();
    },
  });
