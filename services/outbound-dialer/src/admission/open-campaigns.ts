// The campaigns that a dialer has something to do for, as the read model knows them.
import type { Tx } from '@parlance/persistence';
import type { KnownCampaign } from '../campaign/campaign-state.js';

export interface OpenCampaign {
  readonly id: string;
  readonly organizationId: string;
  /** Of its stream, as far as the read model has heard: names what is done because of it. */
  readonly revision: string;
  readonly state: KnownCampaign;
  /** Recipients who wait, who are in a dialer's hands, and whose call goes on. */
  readonly pending: number;
  readonly queued: number;
  readonly inProgress: number;
}

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
  where c.status in ('scheduled', 'running', 'paused')
    or (c.status = 'cancelled' and k.pending + k.queued + k."inProgress" > 0)
  order by p.next_at nulls first, c.id`;

/** Whoever was served least lately comes first. */
export const openCampaigns = async (db: Tx): Promise<OpenCampaign[]> => {
  const { rows } = await db.query<OpenCampaign>({ name: 'open-campaigns', text: statement, values: [] });
  return rows;
};

/** The recipient whose turn is next, of those who wait; undefined when nobody does. */
export const nextPending = async (
  tx: Tx,
  campaignId: string,
): Promise<{ readonly timeZones: readonly string[]; readonly notBefore: string | null } | undefined> => {
  const { rows } = await tx.query<{ timeZones: string[]; notBefore: string | null }>(
    `select time_zones as "timeZones", not_before as "notBefore" from campaign_recipients
     where campaign_id = $1 and state = 'pending' order by not_before nulls first, row_number limit 1`,
    [campaignId],
  );
  return rows[0];
};
