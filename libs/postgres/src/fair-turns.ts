// The turns of organizations that share a capacity: the one whose last turn is oldest comes first.
import { deleteInPieces } from './in-pieces.js';
import type { Tx } from './tx.js';

/** Where the turns of a pool are kept. */
export interface FairTurns {
  /** The name of the pool in `fair_turns`; undefined for a table of the pool's own. */
  readonly pool?: string;
  /** A table with organization_id and last_turn_at; `fair_turns` unless given. */
  readonly table?: string;
}

/** CTE `turn`, which notes the turns of the organizations in `picked`. Sorted, so that replicas do not lock in opposite orders. */
export const turnTaken = ({ pool, table = 'fair_turns' }: FairTurns): string => {
  const [column, value] = pool === undefined ? ['', ''] : ['pool, ', `'${pool}', `];
  return `turn as (
    insert into ${table} (${column}organization_id, last_turn_at)
    select ${value}organization_id, clock_timestamp() from (
      select distinct organization_id from picked order by organization_id) served
    on conflict (${column}organization_id) do update set last_turn_at = excluded.last_turn_at)`;
};

/** A left join of the turns as t. @param organization SQL of the organization */
export const joinedTurns = ({ pool, table = 'fair_turns' }: FairTurns, organization: string): string =>
  `left join ${table} t on ${pool === undefined ? '' : `t.pool = '${pool}' and `}t.organization_id = ${organization}`;

/** Deletes the turns of organizations that had none for long. */
export const forgetTurns = (db: Tx): Promise<number> =>
  deleteInPieces(db, { table: 'fair_turns', where: `last_turn_at < now() - interval '1 day'` });
