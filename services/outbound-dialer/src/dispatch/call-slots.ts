// Counts an organization's calls in progress. A lock keeps two calls from both taking the last place.
import type { VersionedSettings } from '@parlance/contracts';
import { type Database, deleteInPieces, refuseClosed, type Tx } from '@parlance/postgres';
import { reserving, type Shares } from '../ledger/operator-spend.js';
import { Starts } from './starts.js';

type Limits = Pick<VersionedSettings, 'maxConcurrentCalls' | 'inboundReserve'>;

/** The lifetime of a place whose call was never recorded: its process died first, or its command was refused. */
const forgottenAfter = `interval '1 minute'`;

/** The lock on an organization's count. A transaction that counts in order to begin calls holds the lock to its end. */
const lockText = (organizationId: string): string => `calls-of:${organizationId}`;

/** Waits for its turn to count. */
const lockCallCount = async (tx: Tx, organizationId: string): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lockText(organizationId)]);
};

/** @returns false when another transaction is counting */
export const tryLockCallCount = async (tx: Tx, organizationId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
    [lockText(organizationId)],
  );
  return rows[0]?.locked === true;
};

/**
 * Recipients of a campaign `g`, at `$2`, that a dialer holds or that are being called. A recipient that a dead dialer
 * left behind does not count and waits like the others. Otherwise a campaign with a low limit would never call again. A
 * recipient whose call is still claimed counts, although the read model may not have heard of its start.
 */
const busyOfCampaign = `
  (select coalesce(sum(k.recipients), 0) from campaign_counts k
   where k.campaign_id = g.id and k.state in ('queued', 'in_progress'))
  - (select count(*) from campaign_recipients r
     where r.campaign_id = g.id and r.state = 'queued' and r.claimed_until <= $2::timestamptz
       and not exists (select from dial_claims d
         where d.outbound_call_id = r.outbound_call_id and d.claimed_until > $2::timestamptz))`;

/**
 * Calls of the organization `$1` that are in progress or about to be. Of a campaign, the recipients that dialers hold count. Of the
 * other outbound calls, every taken place counts if its call has no known end since; the call `$3` that wants a place does not.
 * Calls in a browser count until they give their place back, or their time for it is over.
 */
const busyOfOrganization = `
  (
    select count(*) from call_slots s left join outbound_calls c on c.id = s.outbound_call_id
    where s.organization_id = $1 and s.outbound_call_id is distinct from $3::uuid and case
      when c.id is null or (c.phase = 'ended' and c.revision <= s.revision)
        then s.taken_at > $2::timestamptz - ${forgottenAfter}
      else c.phase <> 'ended' end
  )::int + (
    select coalesce(sum(${busyOfCampaign}), 0) from campaigns g
    where g.organization_id = $1 and g.status in ('running', 'paused', 'cancelled')
  )::int + (
    select count(*) from browser_places b
    where b.organization_id = $1 and b.given_back_at is null and b.until > $2::timestamptz
  )::int`;

export interface CampaignUse {
  /** False for a campaign that was paused, cancelled or completed meanwhile. */
  readonly isRunning: boolean;
  /** Calls of the campaign that are being made or are about to be. */
  readonly ofCampaign: number;
  /** Calls in progress of its organization. */
  readonly busy: number;
}

/** The use of calls at the same time, as far as a lease for the campaign is concerned. */
export const campaignUse = async (
  tx: Tx,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  now: Date,
): Promise<CampaignUse> => {
  const { rows } = await tx.query<CampaignUse>({
    name: 'campaign-use',
    text: `select g.status = 'running' as "isRunning", (${busyOfCampaign})::int as "ofCampaign", ${busyOfOrganization} as busy
           from campaigns g where g.id = $4`,
    values: [organizationId, now.toISOString(), null, id],
  });
  return rows[0] ?? { isRunning: false, ofCampaign: 0, busy: 0 };
};

/** Calls of the organization that are in progress or about to be. */
export const callsInProgress = async (
  tx: Tx,
  organizationId: string,
  now: Date,
  /** The call that wants a place; it does not count. */
  apartFrom: string | null = null,
): Promise<number> => {
  const { rows } = await tx.query<{ busy: number }>({
    name: 'calls-in-progress',
    text: `select ${busyOfOrganization} as busy`,
    values: [organizationId, now.toISOString(), apartFrom],
  });
  return rows[0]?.busy ?? 0;
};

/**
 * The calls that campaigns may have in progress: the reserve stays free for inbound calls. A person's own call may take
 * from the reserve.
 */
export const campaignLimit = ({ maxConcurrentCalls, inboundReserve }: Limits): number =>
  Math.max(0, maxConcurrentCalls - inboundReserve);

export interface WantedSlot {
  readonly organizationId: string;
  readonly outboundCallId: string;
  /** Revision of the call's stream before this call: an end up to it belongs to an earlier call. */
  readonly revision: bigint;
}

/**
 * A transaction that waits for the lock keeps a connection. So at most two wait with one, and the others wait without.
 */
const counting = new Starts(2);

export interface SlotRules {
  /** Calls at the same time. */
  readonly limit: number;
  /** Puts the call's worst case aside. @throws AppError SPEND_LIMIT_REACHED where there is no room for it */
  readonly reserve: (tx: Tx, shares: Shares) => Promise<void>;
}

/**
 * Does the work in a transaction in which no other call of the organization can take a place. It may be undone and done again.
 * @throws AppError CONFLICT when the organization is being removed
 */
export const inTurn = async <T>(
  db: Database,
  organizationId: string,
  work: (tx: Tx, shares: Shares) => Promise<T>,
): Promise<T> => {
  const leave = await counting.enter();
  try {
    return await reserving(db, async (tx, shares) => {
      await lockCallCount(tx, organizationId);
      await refuseClosed(tx, organizationId);
      return work(tx, shares);
    });
  } finally {
    leave();
  }
};

const takeWithin = async (
  tx: Tx,
  wanted: WantedSlot,
  rules: SlotRules,
  now: Date,
  shares: Shares,
): Promise<boolean> => {
  const { organizationId, outboundCallId, revision } = wanted;
  if ((await callsInProgress(tx, organizationId, now, outboundCallId)) >= rules.limit) return false;
  await tx.query(
    `insert into call_slots (outbound_call_id, organization_id, revision, taken_at) values ($1, $2, $3, $4)
     on conflict (outbound_call_id) do update set revision = excluded.revision, taken_at = excluded.taken_at`,
    [outboundCallId, organizationId, revision, now.toISOString()],
  );
  await rules.reserve(tx, shares);
  return true;
};

/**
 * Takes a place for a call that a person wants made now.
 * @returns false when there are `limit` other calls in progress already; asking again for the same call changes nothing
 * @throws AppError CONFLICT when the organization is being removed, SPEND_LIMIT_REACHED when its worst case must not be
 *   spent; nothing was taken then
 */
export const takeCallSlot = (
  db: Database,
  wanted: WantedSlot,
  rules: SlotRules,
  now: Date,
): Promise<boolean> =>
  inTurn(db, wanted.organizationId, (tx, shares) => takeWithin(tx, wanted, rules, now, shares));

/**
 * Outbound calls of the organization that have not ended. Included are calls that took a place and that the read model
 * has not heard of yet.
 */
export const openCallIds = async (tx: Tx, organizationId: string, now: Date): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `select id from outbound_calls where organization_id = $1 and phase <> 'ended'
     union
     select s.outbound_call_id from call_slots s left join outbound_calls c on c.id = s.outbound_call_id
     where s.organization_id = $1 and s.taken_at > $2::timestamptz - ${forgottenAfter}
       and (c.id is null or (c.phase = 'ended' and c.revision <= s.revision))
     order by id`,
    [organizationId, now.toISOString()],
  );
  return rows.map(({ id }) => id);
};

/** Deletes places whose call was never recorded, was not retried after all, or has ended. */
export const forgetCallSlots = async (db: Tx, now: Date): Promise<void> => {
  await deleteInPieces(db, {
    table: 'call_slots',
    where: `taken_at < $1::timestamptz - interval '10 minutes' and not exists (
      select from outbound_calls c where c.id = call_slots.outbound_call_id and c.phase <> 'ended')`,
    values: [now.toISOString()],
  });
  await deleteInPieces(db, {
    table: 'call_slots',
    where: `exists (select from outbound_calls c
      where c.id = call_slots.outbound_call_id and c.phase = 'ended' and c.revision > call_slots.revision)`,
  });
};
