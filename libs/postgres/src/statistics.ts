// Two functions show the doctor of a service the times of long transactions and the lag of standbys, and nothing else of other
// roles. The right `pg_read_all_stats` shows the text of every statement too.
import pg from 'pg';
import type { Database } from './database.js';
import type { Tx } from './tx.js';

/** The schema of the functions, which the administrator owns. */
export const statisticsSchema = 'parlance_statistics';

const functionNames = ['long_transactions', 'standbys_behind'] as const;

/** They run as their owner, so they take names from the server's own catalog alone. */
const statements = [
  `create schema if not exists ${statisticsSchema}`,
  `revoke all on schema ${statisticsSchema} from public`,
  `create or replace function ${statisticsSchema}.long_transactions(longer_than int)
     returns table (pid int, application text, seconds int)
     language sql security definer set search_path = pg_catalog, pg_temp as $$
       select a.pid, a.application_name, extract(epoch from clock_timestamp() - a.xact_start)::int
       from pg_catalog.pg_stat_activity a
       where a.xact_start < clock_timestamp() - make_interval(secs => longer_than)
         and a.backend_type = 'client backend' and a.datname = current_database() $$`,
  `create or replace function ${statisticsSchema}.standbys_behind(longer_than int)
     returns table (name text, seconds int)
     language sql security definer set search_path = pg_catalog, pg_temp as $$
       select r.application_name, extract(epoch from r.replay_lag)::int from pg_catalog.pg_stat_replication r
       where r.replay_lag > make_interval(secs => longer_than) $$`,
  `revoke all on all functions in schema ${statisticsSchema} from public`,
];

/**
 * Makes the functions, or renews them.
 * @returns false where this administrator may not read the statistics of others, so that the functions would show nothing
 */
export const provisionStatistics = (admin: Database): Promise<boolean> =>
  admin.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('parlance:provision', 0))`);
    const { rows } = await tx.query<{ may: boolean }>(
      "select pg_has_role('pg_read_all_stats', 'usage') as may",
    );
    if (rows[0]?.may !== true) return false;
    for (const statement of statements) await tx.query(statement);
    return true;
  });

/** Lets a role call the functions, and takes back the wide right that earlier releases gave it. */
export const allowStatistics = (admin: Database, role: string): Promise<void> =>
  admin.transaction(async (tx) => {
    const name = pg.escapeIdentifier(role);
    await tx.query(`grant usage on schema ${statisticsSchema} to ${name}`);
    await tx.query(`grant execute on all functions in schema ${statisticsSchema} to ${name}`);
    const { rows } = await tx.query<{ member: boolean }>(
      "select pg_has_role($1::name, 'pg_read_all_stats', 'member') as member",
      [role],
    );
    if (rows[0]?.member === true) await tx.query(`revoke pg_read_all_stats from ${name}`);
  });

/** Whether this role may call the functions. A role that has no right on their schema cannot name them, so the catalog is asked. */
export const mayCallStatistics = async (tx: Tx): Promise<boolean> => {
  const { rows } = await tx.query<{ may: boolean }>(
    `select count(*) = $2 as may from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname = $1 and p.proname = any($3)
       and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')`,
    [statisticsSchema, functionNames.length, functionNames],
  );
  return rows[0]?.may === true;
};
