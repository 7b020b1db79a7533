// The time in which an operator may go back to the release before a migration. Its replicas must be able to use every row then.
import type { Tx } from '@parlance/postgres';

/** A rolling update, or the decision to go back, takes less. */
const keptHours = 24;

/** An installation that began with the migration never had replicas from before it. */
export const mayOlderReplicaRun = async (
  db: Pick<Tx, 'query'>,
  migration: string,
  now: Date,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from schema_migrations own
     join schema_migrations first on first.name = '0001_outbound_calls.sql'
       and first.applied_at < own.applied_at - interval '1 hour'
     where own.name = $2
       and own.applied_at > $1::timestamptz - interval '${keptHours} hours'`,
    [now.toISOString(), migration],
  );
  return rowCount > 0;
};
