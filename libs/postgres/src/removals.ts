// One service's part in the removal of an organization, in two steps. The service hears of the removal and notes it in
// one row, after which nothing begins. It then clears the remains away, which may take long, fail, and go on later.
import { events } from '@parlance/contracts';
import { type RunningPart, startRounds } from '@parlance/observability';
import { type ConsumerOptions, startConsumer } from './consumer.js';
import type { Database } from './database.js';
import { deleteOfOrganization } from './in-pieces.js';
import { lockedRows } from './locked-rows.js';
import { noteRemoval } from './organization-closures.js';

export interface RemovalsOptions extends Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger' | 'durable'> {
  /**
   * Ends and deletes a part of the remains of a removed organization; called again until it resolves with true. Several
   * copies of the service may call it at the same time.
   */
  readonly clear: (organizationId: string) => Promise<boolean>;
}

interface Removed {
  readonly organizationId: string;
  readonly removalId: string;
}

const everyMs = 1_000;

const due = {
  table: 'organization_closures',
  columns: 'organization_id, removal_id',
  where: 'next_clearing_at <= now()',
  order: 'next_clearing_at',
};

/** Takes one organization in hand. Another copy takes it again should this one be heard of no more. */
const nextRemoved = async (db: Database): Promise<Removed | undefined> => {
  const { rows } = await db.query<Removed>({
    name: 'next-removed-organization',
    text: `update organization_closures set next_clearing_at = now() + interval '30 seconds'
           where (organization_id, removal_id) = (${lockedRows(due, 1)})
           returning organization_id as "organizationId", removal_id as "removalId"`,
  });
  return rows[0];
};

const setNext = async (db: Database, { organizationId, removalId }: Removed, next: string): Promise<void> => {
  await db.query(
    `update organization_closures set next_clearing_at = ${next} where organization_id = $1 and removal_id = $2`,
    [organizationId, removalId],
  );
};

const clearOne = async (
  { db, logger, clear }: Pick<RemovalsOptions, 'db' | 'logger' | 'clear'>,
  removed: Removed,
): Promise<void> => {
  const { organizationId } = removed;
  try {
    const isCleared = await clear(organizationId);
    if (isCleared) await deleteOfOrganization(db, organizationId, ['fair_turns']);
    await setNext(db, removed, isCleared ? 'null' : 'now()');
    if (isCleared) logger.info({ organizationId }, 'a removed organization was cleared away');
  } catch (err) {
    logger.warn({ organizationId, err }, 'a removed organization cannot be cleared away yet');
    await setNext(db, removed, `now() + interval '5 seconds'`);
  }
};

/** Starts at once. */
export const startRemovals = ({ clear, ...options }: RemovalsOptions): RunningPart => {
  const { db, logger } = options;
  const consumer = startConsumer({
    ...options,
    events: [events.organizationDeleted],
    handle: (tx, { organizationId, data }) => noteRemoval(tx, { organizationId, removalId: data.removalId }),
  });
  const rounds = startRounds({
    name: 'clearing away of removed organizations',
    everyMs,
    activity: db.activity,
    logger,
    round: async (stopping) => {
      while (!stopping.aborted) {
        const removed = await nextRemoved(db);
        if (removed === undefined) return;
        await clearOne({ db, logger, clear }, removed);
      }
    },
  });
  return {
    name: rounds.name,
    stop: async () => {
      await consumer.stop();
      await rounds.stop();
    },
  };
};
