// Claims on campaigns' files. A claim that is not renewed runs out, and another process begins anew; the earlier holder
// notices at its next write.
import { deleteInPieces, joinedTurns, type Tx, turnTaken } from '@parlance/postgres';
import type { ImportOutcome } from './import-types.js';

export interface FileClaim {
  readonly campaignId: string;
  /** Unique per claim, so that a process which slept through its own claim does not take the next for it. */
  readonly holder: string;
  /** The number of tries, this one included; a try that ended by an outage does not count. */
  readonly tries: number;
  /** The outcome that a process stored and then did not record in the stream; null while the file has to be read. */
  readonly outcome: ImportOutcome | null;
}

/** The file has been taken over, or its campaign was cancelled. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

export interface ClaimTimes {
  readonly now: Date;
  readonly forMs: number;
}

const until = ({ now, forMs }: ClaimTimes): string => new Date(now.getTime() + forMs).toISOString();

const turns = { pool: 'imports' };

/**
 * Claims the file that waits longest, of the organization whose last turn is oldest: many files of one organization do not delay
 * the file of another. Two processes never get the same file.
 */
export const claimFile = async (
  db: Tx,
  holder: string,
  times: ClaimTimes,
): Promise<FileClaim | undefined> => {
  const { rows } = await db.query<FileClaim>({
    name: 'file-claim',
    text: `with picked as (
        select c.id, c.organization_id from campaigns c left join file_claims known on known.campaign_id = c.id
          ${joinedTurns(turns, 'c.organization_id')}
        where c.status = 'validating' and coalesce(known.claimed_until <= $2, true)
        order by t.last_turn_at nulls first, c.created_at, c.id limit 1),
      ${turnTaken(turns)}
      insert into file_claims as f (campaign_id, holder, claimed_until, tries)
      select id, $1, $3, 1 from picked
      on conflict (campaign_id) do update
        set holder = excluded.holder, claimed_until = excluded.claimed_until, tries = f.tries + 1
        where f.claimed_until <= $2
      returning campaign_id as "campaignId", holder, tries, outcome`,
    values: [holder, times.now.toISOString(), until(times)],
  });
  return rows[0];
};

/**
 * Renews the claim and, inside a transaction, keeps the claim until the end. The transaction also locks the campaign's
 * counts: its later writes cannot come after the campaign's cancellation.
 * @throws ClaimLost
 */
export const holdFile = async (
  tx: Tx,
  { campaignId, holder }: FileClaim,
  times: ClaimTimes,
): Promise<void> => {
  await tx.query({
    name: 'campaign-counts-lock',
    text: 'select lock_campaign_counts(array[$1::uuid])',
    values: [campaignId],
  });
  const { rowCount } = await tx.query({
    name: 'file-hold',
    text: `update file_claims set claimed_until = $3 where campaign_id = $1 and holder = $2
      and not exists (select from campaign_stops where campaign_id = $1)`,
    values: [campaignId, holder, until(times)],
  });
  if (rowCount === 0) throw new ClaimLost('somebody else reads the file, or nobody needs it any more');
};

/**
 * Stores the outcome of reading the file, inside a transaction that holds it. From here on no process reads the file
 * again.
 */
export const settleFile = async (
  tx: Tx,
  { campaignId }: FileClaim,
  outcome: ImportOutcome,
): Promise<void> => {
  await tx.query('update file_claims set outcome = $2 where campaign_id = $1', [
    campaignId,
    JSON.stringify(outcome),
  ]);
};

/**
 * Gives the claim up; no process takes the file before the time in `times`.
 * @param isTry false when an outage ended the try
 */
export const releaseFile = async (
  db: Tx,
  { campaignId, holder }: FileClaim,
  times: ClaimTimes,
  isTry: boolean,
): Promise<void> => {
  await db.query(
    `update file_claims set claimed_until = $3, tries = tries - $4::int where campaign_id = $1 and holder = $2`,
    [campaignId, holder, until(times), isTry ? 0 : 1],
  );
};

/** Forgets claims of files that were read. */
export const forgetReadFiles = async (db: Tx, now: Date): Promise<void> => {
  await deleteInPieces(db, {
    table: 'file_claims',
    where: `claimed_until <= $1 and exists (
      select from campaigns c where c.id = file_claims.campaign_id and c.status <> 'validating')`,
    values: [now.toISOString()],
  });
};
