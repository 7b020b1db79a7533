// The recipients of campaigns, one owned row each. Any number of dialers take rows in hand; the projection writes the
// news from the streams of outbound calls (recipient-of-call.ts). All of it runs inside a transaction and locks the
// campaign's counts first, so that two transactions never wait for each other.
import type { Tx } from '@parlance/postgres';
import type { RecipientRow } from './recipient-row.js';

export interface ClaimOptions {
  readonly campaignId: string;
  /** Unique per process. */
  readonly holder: string;
  readonly now: Date;
  readonly limit: number;
  /** The lifetime of the claim, in milliseconds; after it another dialer may take the recipients. */
  readonly forMs: number;
}

export interface ClaimedRecipient {
  readonly campaignId: string;
  readonly rowNumber: number;
  readonly organizationId: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly timeZones: readonly string[];
  readonly row: RecipientRow;
  readonly outboundCallId: string;
  /** Made so far. */
  readonly attempts: number;
  /** There is a stream of its call already. */
  readonly isPlaced: boolean;
}

/** A recipient as its row has it: the number and the content may be sealed. */
export type StoredRecipient = Omit<ClaimedRecipient, 'row'> & { readonly row: unknown };

/** Some of a campaign's recipients that `holder` has in hand. */
export interface Held {
  readonly campaignId: string;
  readonly holder: string;
  readonly rowNumbers: readonly number[];
}

/** Takes the counts of the campaign for the rest of the transaction. */
export const lockCounts = (tx: Tx, campaignId: string): Promise<unknown> =>
  tx.query({
    name: 'campaign-counts-lock',
    text: 'select lock_campaign_counts(array[$1::uuid])',
    values: [campaignId],
  });

const columns = `r.campaign_id as "campaignId", r.row_number as "rowNumber", r.organization_id as "organizationId",
  r.phone_number as "phoneNumber", r.time_zones as "timeZones", r.row, r.outbound_call_id as "outboundCallId", r.attempts,
  r.revision >= 0 as "isPlaced"`;

/** First the retries that are due, then recipients of a dead dialer, then fresh ones in the order of the file. */
const claimStatement = `
  with again as (
    select row_number from campaign_recipients
    where campaign_id = $1 and state = 'pending' and not_before <= $2::timestamptz
      and not exists (select from campaign_stops where campaign_id = $1)
    order by not_before, row_number limit $3 for update skip locked),
  left_behind as (
    select row_number from campaign_recipients
    where campaign_id = $1 and state = 'queued' and claimed_until <= $2::timestamptz
      and not exists (select from campaign_stops where campaign_id = $1)
    order by claimed_until limit $3 - (select count(*) from again) for update skip locked),
  fresh as (
    select row_number from campaign_recipients
    where campaign_id = $1 and state = 'pending' and not_before is null
      and not exists (select from campaign_stops where campaign_id = $1)
    order by not_before, row_number
    limit $3 - (select count(*) from again) - (select count(*) from left_behind) for update skip locked),
  taken as (
    select row_number from again union all select row_number from left_behind union all select row_number from fresh)
  update campaign_recipients r
  set state = 'queued', claimed_by = $4, claimed_until = $5, not_before = null, updated_at = $2
  from taken where r.campaign_id = $1 and r.row_number = taken.row_number
  returning ${columns}`;

/** The next recipient, in the order of `claimStatement`. */
const nextStatement = `
  select outbound_call_id as "outboundCallId", attempts, phone_number as "phoneNumber", row from (
    (select 1 as rank, r.* from campaign_recipients r
     where campaign_id = $1 and state = 'pending' and not_before <= $2::timestamptz order by not_before, row_number limit 1)
    union all
    (select 2, r.* from campaign_recipients r
     where campaign_id = $1 and state = 'queued' and claimed_until <= $2::timestamptz order by claimed_until limit 1)
    union all
    (select 3, r.* from campaign_recipients r
     where campaign_id = $1 and state = 'pending' and not_before is null order by not_before, row_number limit 1)) as first
  order by rank limit 1`;

type NextRecipient = Pick<StoredRecipient, 'outboundCallId' | 'attempts' | 'phoneNumber' | 'row'>;

/** The recipient that would be claimed next; undefined when no recipient's turn has come. */
export const nextClaimed = async (
  tx: Tx,
  campaignId: string,
  now: Date,
): Promise<NextRecipient | undefined> => {
  const { rows } = await tx.query<NextRecipient>({
    name: 'recipients-next',
    text: nextStatement,
    values: [campaignId, now.toISOString()],
  });
  return rows[0];
};

/** Takes recipients whose turn has come. Two dialers never get the same one; a stopped campaign gives none. */
export const claimRecipients = async (tx: Tx, options: ClaimOptions): Promise<StoredRecipient[]> => {
  const { campaignId, holder, now, limit, forMs } = options;
  await lockCounts(tx, campaignId);
  const { rows } = await tx.query<StoredRecipient>({
    name: 'recipients-claim',
    text: claimStatement,
    values: [campaignId, now.toISOString(), limit, holder, new Date(now.getTime() + forMs).toISOString()],
  });
  return rows.sort((a, b) => a.rowNumber - b.rowNumber);
};

/**
 * Puts recipients back that were claimed and have no placed call.
 * @param notBefore the earliest time of their call; null is at once
 * @returns the number of them that this holder still had in hand
 */
export const postponeRecipients = async (
  tx: Tx,
  { campaignId, holder, rowNumbers }: Held,
  notBefore: Date | null,
): Promise<number> => {
  await lockCounts(tx, campaignId);
  const { rowCount } = await tx.query(
    `update campaign_recipients
     set state = 'pending', not_before = $4, claimed_by = null, claimed_until = null, updated_at = now()
     where campaign_id = $1 and row_number = any($2) and state = 'queued' and claimed_by = $3`,
    [campaignId, rowNumbers, holder, notBefore?.toISOString() ?? null],
  );
  return rowCount;
};

/** Puts recipients back that were claimed and have no placed call; every dialer may take them at once. */
export const releaseRecipients = (tx: Tx, held: Held): Promise<number> => postponeRecipients(tx, held, null);

/**
 * Ends recipients in hand that must not be called, and of which no call was placed.
 * @param reason an EndedReason, such as `suppressed_dnc`
 */
export const skipRecipients = async (
  tx: Tx,
  { campaignId, holder, rowNumbers }: Held,
  reason: string,
): Promise<number> => {
  await lockCounts(tx, campaignId);
  const { rowCount } = await tx.query(
    `update campaign_recipients
     set state = 'skipped', reason = $4, claimed_by = null, claimed_until = null, updated_at = now()
     where campaign_id = $1 and row_number = any($2) and state = 'queued' and claimed_by = $3 and revision < 0`,
    [campaignId, rowNumbers, holder, reason],
  );
  return rowCount;
};

/** Stops the claims: from now on no dialer claims a recipient of this campaign. May be done again. */
export const stopClaims = async (tx: Tx, campaignId: string): Promise<void> => {
  await lockCounts(tx, campaignId);
  await tx.query('insert into campaign_stops (campaign_id) values ($1) on conflict do nothing', [campaignId]);
};

export const isStopped = async (tx: Tx, campaignId: string): Promise<boolean> =>
  (await tx.query('select from campaign_stops where campaign_id = $1', [campaignId])).rowCount > 0;

/**
 * Ends up to `batch` recipients that were never called. A recipient with a call of its own ends with that call (see
 * `openCallsOf`).
 * @returns the number of ended recipients; fewer than `batch` means that no more can be ended now
 */
export const cancelPending = async (tx: Tx, campaignId: string, batch: number): Promise<number> => {
  await lockCounts(tx, campaignId);
  const { rowCount } = await tx.query(
    `with found as materialized (
       select row_number from campaign_recipients
       where campaign_id = $1 and state = 'pending' and revision < 0 limit $2 for update skip locked)
     update campaign_recipients r set state = 'cancelled', reason = 'campaign_cancelled', updated_at = now()
     from found where r.campaign_id = $1 and r.row_number = found.row_number`,
    [campaignId, batch],
  );
  return rowCount;
};

export interface LeftBehind {
  readonly rowNumber: number;
  readonly outboundCallId: string;
}

/** Recipients that a dead dialer had in hand. The stream of the call tells whether it was placed. */
export const leftBehind = async (
  tx: Tx,
  campaignId: string,
  now: Date,
  limit: number,
): Promise<LeftBehind[]> => {
  const { rows } = await tx.query<LeftBehind>(
    `select row_number as "rowNumber", outbound_call_id as "outboundCallId" from campaign_recipients
     where campaign_id = $1 and state = 'queued' and claimed_until <= $2 order by claimed_until limit $3`,
    [campaignId, now.toISOString(), limit],
  );
  return rows;
};

/**
 * Puts recipients back whose lease has expired without a placed call, and whose call no dialer holds: theirs has died, or stood still.
 * @returns the number of them
 */
export const returnLeftBehind = async (tx: Tx, campaignId: string, now: Date): Promise<number> => {
  await lockCounts(tx, campaignId);
  const { rowCount } = await tx.query(
    `update campaign_recipients r set state = 'pending', claimed_by = null, claimed_until = null, updated_at = now()
     where campaign_id = $1 and state = 'queued' and claimed_until <= $2 and revision < 0
       and not exists (select from dial_claims d where d.outbound_call_id = r.outbound_call_id and d.claimed_until > $2)`,
    [campaignId, now.toISOString()],
  );
  return rowCount;
};

/** Ends recipients that were left behind without a placed call. */
export const cancelLeftBehind = async (
  tx: Tx,
  campaignId: string,
  rowNumbers: readonly number[],
  now: Date,
): Promise<number> => {
  await lockCounts(tx, campaignId);
  const { rowCount } = await tx.query(
    `update campaign_recipients set state = 'cancelled', reason = 'campaign_cancelled', claimed_by = null,
       claimed_until = null, updated_at = now()
     where campaign_id = $1 and row_number = any($2) and state = 'queued' and claimed_until <= $3 and revision < 0`,
    [campaignId, rowNumbers, now.toISOString()],
  );
  return rowCount;
};

/**
 * Outbound calls of recipients that dialers have in hand. Their rows tell it before the read model does, and whether the
 * call was placed, its stream knows.
 */
export const callsInHand = async (tx: Tx, campaignId: string, limit: number): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `select outbound_call_id as id from campaign_recipients
     where campaign_id = $1 and state = 'queued' order by claimed_until limit $2`,
    [campaignId, limit],
  );
  return rows.map(({ id }) => id);
};

/** Outbound calls that the campaign's dialers have begun and that have not ended, as the read model knows. */
export const openCallsOf = async (tx: Tx, campaignId: string, limit: number): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `select id from outbound_calls where campaign_id = $1 and phase <> 'ended' order by id limit $2`,
    [campaignId, limit],
  );
  return rows.map(({ id }) => id);
};
