// The campaigns that a dialer has something to do for, as the read model knows them.
import type { PersonalData } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import { openRecipient } from '../personal-data/sealed-recipients.js';
import type { StoredRecipient } from '../recipients/recipients.js';
import { type Whereabouts, whereaboutsOf } from '../rules/time-zones.js';

export interface OpenCampaign {
  readonly id: string;
  readonly organizationId: string;
  /** Revision of the campaign's stream in the read model; part of the ids of commands that follow from it. */
  readonly revision: string;
  readonly state: KnownCampaign;
  /** Numbers of recipients that wait, that a dialer holds, and that are in a call. */
  readonly pending: number;
  readonly queued: number;
  readonly inProgress: number;
}

// The first condition is that of the index `campaigns_unfinished`: a campaign that has ended costs nothing, and its counts are not read.
const statement = `
  select c.id, c.organization_id as "organizationId", c.revision::text as revision, c.state, k.pending, k.queued,
    k."inProgress"
  from campaigns c
  left join pacing p on p.account = 'campaign:' || c.id::text
  cross join lateral (
    select coalesce(sum(recipients) filter (where state = 'pending'), 0)::float8 as pending,
      coalesce(sum(recipients) filter (where state = 'queued'), 0)::float8 as queued,
      coalesce(sum(recipients) filter (where state = 'in_progress'), 0)::float8 as "inProgress"
    from campaign_counts where campaign_id = c.id) as k
  where c.status in ('scheduled', 'running', 'paused', 'cancelled')
    and (c.status <> 'scheduled' or coalesce(c.scheduled_at <= $1, true))
    and (c.status <> 'cancelled' or k.pending + k.queued + k."inProgress" > 0)
  order by p.next_at nulls first, c.id`;

/** The campaign that was served least lately comes first; those that are scheduled for later are left out. */
export const openCampaigns = async (db: Tx, now: Date): Promise<OpenCampaign[]> => {
  const { rows } = await db.query<OpenCampaign>({
    name: 'open-campaigns',
    text: statement,
    values: [now.toISOString()],
  });
  return rows;
};

/** The start of the next campaign that is scheduled; undefined when there is none. */
export const nextScheduled = async (db: Tx): Promise<Date | undefined> => {
  const { rows } = await db.query<{ at: Date | null }>({
    name: 'next-scheduled-campaign',
    text: `select min(scheduled_at) as at from campaigns where status = 'scheduled'`,
    values: [],
  });
  return rows[0]?.at ?? undefined;
};

/** The waiting recipient with the next turn; undefined when no recipient waits. */
export const nextPending = async (
  { db, personalData }: { readonly db: Tx; readonly personalData: Pick<PersonalData, 'open'> },
  campaignId: string,
): Promise<{ readonly whereabouts: Whereabouts; readonly notBefore: string | null } | undefined> => {
  const { rows } = await db.query<
    Pick<StoredRecipient, 'timeZones' | 'phoneNumber' | 'row'> & { readonly notBefore: string | null }
  >(
    `select time_zones as "timeZones", phone_number as "phoneNumber", row, not_before as "notBefore" from campaign_recipients
     where campaign_id = $1 and state = 'pending' order by not_before nulls first, row_number limit 1`,
    [campaignId],
  );
  const [next] = rows;
  if (next === undefined) return undefined;
  const { phoneNumber } = await openRecipient(personalData, campaignId, next);
  return { whereabouts: whereaboutsOf(next.timeZones, phoneNumber), notBefore: next.notBefore };
};
