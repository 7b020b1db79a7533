// The history of the do-not-call lists. A fact is never changed, and is deleted when the time for which it may be needed as evidence
// is over.
import type { SuppressionFact } from '@parlance/contracts';
import { systemIds } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { deleteInPieces } from '@parlance/postgres';

/** Who put a number on a list, and how. */
export interface Cause {
  readonly source: SuppressionFact['source'];
  /** `user:<id>`, `key:<id>`, `platform:<service>` or `operator`. */
  readonly actor: string;
  readonly callId: string | null;
  readonly reason: string | null;
}

export interface NewFacts extends Cause {
  readonly organizationId: string;
  readonly hashes: readonly string[];
  readonly change: SuppressionFact['change'];
  readonly at: Date;
}

/** A fact about a call is written once, however often the call's end is heard of. */
export const addFacts = async (
  tx: Tx,
  { organizationId, hashes, change, source, actor, callId, reason, at }: NewFacts,
): Promise<void> => {
  if (hashes.length === 0) return;
  await tx.query(
    `insert into suppression_facts (id, organization_id, number_hash, change, source, actor, call_id, reason, at)
     select id, $1, hash, $2, $3, $4, $5, $6, $7 from unnest($8::uuid[], $9::text[]) as fact (id, hash)
     where $5::text is null or not exists (
       select from suppression_facts f
       where f.organization_id = $1 and f.number_hash = hash and f.call_id = $5 and f.change = $2)`,
    [
      organizationId,
      change,
      source,
      actor,
      callId,
      reason,
      at.toISOString(),
      hashes.map(() => systemIds.next()),
      hashes,
    ],
  );
};

/** Whether the call has put the number on the list before. */
export const hasFactOfCall = async (
  db: Tx,
  fact: { readonly organizationId: string; readonly numberHash: string; readonly callId: string },
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from suppression_facts
     where organization_id = $1 and number_hash = $2 and call_id = $3 and change = 'added' limit 1`,
    [fact.organizationId, fact.numberHash, fact.callId],
  );
  return rowCount > 0;
};

const mostShown = 200;

/** The facts about a number, newest first. */
export const factsOf = async (
  db: Tx,
  organizationId: string,
  numberHash: string,
): Promise<SuppressionFact[]> => {
  const { rows } = await db.query<SuppressionFact>(
    `select change, source, actor, call_id as "callId", reason, at from suppression_facts
     where organization_id = $1 and number_hash = $2 order by at desc, id desc limit ${mostShown}`,
    [organizationId, numberHash],
  );
  return rows;
};

const factsAtOnce = 2_000;

/**
 * The facts of a removed organization stay, without the words of people.
 * @returns false when there may be more
 */
export const forgetReasons = async (db: Tx, organizationId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `update suppression_facts set reason = null where ctid = any(array(
       select ctid from suppression_facts where organization_id = $1 and reason is not null
       limit ${factsAtOnce}))`,
    [organizationId],
  );
  return rowCount < factsAtOnce;
};

/** Facts are kept for five years, the period within which a claim about an unwanted call can be brought. */
export const forgetFacts = async (db: Database, now: Date): Promise<void> => {
  await deleteInPieces(db, {
    table: 'suppression_facts',
    where: "at < $1::timestamptz - interval '5 years'",
    values: [now.toISOString()],
  });
};
