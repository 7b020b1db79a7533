// Waits until every call has come to its end, or until it should have.
import { setTimeout as pause } from 'node:timers/promises';
import { patiently } from './evidence/patience.js';
import type { World } from './world.js';

const everyMs = 250;

/**
 * The number of calls or recipients that have to have ended; recipients may have been cancelled before. `what there is`
 * suits a campaign that may have been cancelled before its file was read.
 */
export type Awaited = { readonly calls: number } | { readonly recipients: number } | 'what there is';

const until = async (is: () => Promise<boolean>, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (await patiently(is)) return true;
    await pause(everyMs);
  }
  return false;
};

type Databased = Pick<World, 'db'>;

const callCounts = `select count(*) filter (where phase = 'ended' and not hang_up)::int as ended,
  count(*) filter (where phase = 'ended')::int as over, count(*)::int as calls from outbound_calls`;
const recipientCount = `select count(*) filter (where state in ('pending', 'queued', 'in_progress'))::int as open,
  count(*) filter (where state not in ('pending', 'queued', 'in_progress'))::int as recipients
  from campaign_recipients`;

interface Counts {
  readonly ended: number;
  readonly over: number;
  readonly calls: number;
  readonly open: number;
  readonly recipients: number;
}

const countsOf = async ({ db }: Databased): Promise<Counts | undefined> => {
  const { rows } = await db.query<Counts>(`select * from (${callCounts}) c cross join (${recipientCount}) r`);
  return rows[0];
};

/** True when all have ended and nothing has to be hung up any more; false when time is over before. */
export const settled = (world: Databased, awaited: Awaited, timeoutMs: number): Promise<boolean> =>
  until(async () => {
    const counts = await countsOf(world);
    if (counts === undefined || counts.ended < counts.calls) return false;
    if (awaited === 'what there is') return counts.open === 0;
    return 'calls' in awaited ? counts.ended >= awaited.calls : counts.recipients >= awaited.recipients;
  }, timeoutMs);

/** True when no recipient is to be called any more and all calls have ended. Remaining phones may not be hung up yet. */
export const over = (world: Databased, timeoutMs: number): Promise<boolean> =>
  until(async () => {
    const counts = await countsOf(world);
    return counts !== undefined && counts.open === 0 && counts.over === counts.calls;
  }, timeoutMs);

/** True when so many calls have ended; their remaining phones may not be hung up yet. */
export const ended = (world: Databased, calls: number, timeoutMs: number): Promise<boolean> =>
  until(async () => ((await countsOf(world))?.over ?? 0) >= calls, timeoutMs);

/** True when everybody in the campaign's file has been tried; false when time is over before. */
export const triedOnce = (
  { db }: Databased,
  campaignId: string,
  recipients: number,
  timeoutMs: number,
): Promise<boolean> =>
  until(async () => {
    const { rows } = await db.query<{ tried: number }>(
      'select count(*)::int as tried from campaign_recipients where campaign_id = $1 and attempts > 0',
      [campaignId],
    );
    return (rows[0]?.tried ?? 0) >= recipients;
  }, timeoutMs);

/** The calls that a dead dialer had in hand wait for its lease to expire, and are not waited for. */
const waiting = `select exists (select from outbound_calls
    where phase = 'queued' and not_before <= now() and id not in (
      select outbound_call_id from dial_claims where claimed_until > now()))
  or exists (select from campaign_recipients
    where attempts = 0 and (state = 'pending' or (state = 'queued' and claimed_until <= now()))) as is`;

/** True when no call waits for its first dial; false when time is over before. */
export const begun = ({ db }: Databased, timeoutMs: number): Promise<boolean> =>
  until(async () => (await db.query<{ is: boolean }>(waiting)).rows[0]?.is === false, timeoutMs);
