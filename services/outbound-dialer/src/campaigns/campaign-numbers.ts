// The numbers that campaigns call from, so that no number is given back while a campaign needs it. The dialer notes a
// number here before it asks telephony-numbers for it. telephony-numbers asks here before it gives the number up. So
// the later of the two always sees the earlier one.
import { type Database, refuseClosed } from '@parlance/postgres';
import type { Campaigns } from '../repositories/campaign-repository.js';

/**
 * The longest creation of a campaign. Where a slower creation loses its number meanwhile, the campaign pauses and names
 * the reason.
 */
const creationMs = 60_000;

const endedPhases: readonly string[] = ['completed', 'cancelled', 'failed'];

export interface NotedNumber {
  readonly campaignId: string;
  readonly organizationId: string;
  readonly phoneNumber: string;
}

/**
 * Notes the number of a campaign that is about to be created.
 * @throws AppError CONFLICT when the organization is being removed
 */
export const noteNumber = (
  db: Database,
  { campaignId, organizationId, phoneNumber }: NotedNumber,
  now: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    await refuseClosed(tx, organizationId);
    await tx.query(
      `insert into campaign_numbers (campaign_id, organization_id, phone_number, noted_at) values ($1, $2, $3, $4)
       on conflict (campaign_id) do update set noted_at = excluded.noted_at`,
      [campaignId, organizationId, phoneNumber, now],
    );
  });

interface Parts {
  readonly db: Database;
  readonly campaigns: Pick<Campaigns, 'load'>;
}

interface Noted {
  readonly id: string;
  readonly isFresh: boolean;
}

/** The noted campaigns from the read model, which follows a moment later. */
const notedCampaigns = async (
  db: Database,
  organizationId: string,
  phoneNumber: string | null,
  now: Date,
): Promise<Noted[]> => {
  const { rows } = await db.query<Noted>(
    `select n.campaign_id as id, n.noted_at > $3 as "isFresh"
     from campaign_numbers n left join campaigns c on c.id = n.campaign_id
     where n.organization_id = $1 and ($2::text is null or n.phone_number = $2)
       and (c.status is null or c.status in ('validating', 'scheduled', 'running', 'paused'))
     order by n.campaign_id`,
    [organizationId, phoneNumber, new Date(now.getTime() - creationMs)],
  );
  return rows;
};

/** The stream knows. */
const isOpen = async (campaigns: Parts['campaigns'], { id, isFresh }: Noted): Promise<boolean> => {
  const { phase } = (await campaigns.load(id)).state;
  return phase === 'absent' ? isFresh : !endedPhases.includes(phase);
};

/** The id of a campaign of the number that has not ended, or is being created; null when there is none. */
export const campaignFrom = async (
  { db, campaigns }: Parts,
  { organizationId, phoneNumber }: Omit<NotedNumber, 'campaignId'>,
  now: Date,
): Promise<string | null> => {
  for (const noted of await notedCampaigns(db, organizationId, phoneNumber, now))
    if (await isOpen(campaigns, noted)) return noted.id;
  return null;
};

/** The ids of all campaigns of the organization that have not ended, or are being created. */
export const openCampaignsOf = async (
  { db, campaigns }: Parts,
  organizationId: string,
  now: Date,
): Promise<string[]> => {
  const open: string[] = [];
  for (const noted of await notedCampaigns(db, organizationId, null, now))
    if (await isOpen(campaigns, noted)) open.push(noted.id);
  return open;
};
