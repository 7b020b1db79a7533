// The list of the operator: numbers that no organization calls. It holds keyed hashes, so it can say whether a number is on it and
// cannot be read.
import type { Database, Tx } from '@parlance/postgres';
import { addFacts } from './suppression-facts.js';

/** The organization of the facts about this list. */
export const operatorsList = '*';

export interface ListChange {
  readonly hashes: readonly string[];
  /** Where the numbers come from, or why they are taken off. */
  readonly reason: string;
  readonly at: Date;
}

const asFacts = ({ reason, at }: ListChange, change: 'added' | 'removed') => ({
  organizationId: operatorsList,
  change,
  source: 'operator' as const,
  actor: 'operator',
  callId: null,
  reason,
  at,
});

/** @returns how many were not on the list */
export const addToOperatorsList = (db: Database, change: ListChange): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ hash: string }>(
      `insert into operator_suppressions (number_hash, reason, added_at)
       select distinct hash, $2, $3::timestamptz from unnest($1::text[]) as hash order by hash
       on conflict do nothing returning number_hash as hash`,
      [change.hashes, change.reason, change.at.toISOString()],
    );
    await addFacts(tx, { ...asFacts(change, 'added'), hashes: rows.map(({ hash }) => hash) });
    return rows.length;
  });

/** @returns how many were on the list */
export const removeFromOperatorsList = (db: Database, change: ListChange): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ hash: string }>(
      'delete from operator_suppressions where number_hash = any($1) returning number_hash as hash',
      [change.hashes],
    );
    await addFacts(tx, { ...asFacts(change, 'removed'), hashes: rows.map(({ hash }) => hash) });
    return rows.length;
  });

export interface ListSource {
  readonly reason: string;
  readonly numbers: number;
  readonly latest: Date;
}

/** How many numbers came from where. */
export const sourcesOfOperatorsList = async (db: Tx): Promise<readonly ListSource[]> => {
  const { rows } = await db.query<ListSource>(
    `select reason, count(*)::int as numbers, max(added_at) as latest from operator_suppressions
     group by reason order by reason`,
  );
  return rows;
};
