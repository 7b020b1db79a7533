// Which numbers campaigns call from, so that none is given back while it is needed. A number is put down here before
// telephony-numbers is asked for it, and telephony-numbers asks here before it gives the number up: whoever comes second
// sees the first one.
import type { Database } from '@parlance/persistence';
import type { Campaigns } from './campaign-repository.js';

/** Creating a campaign takes no longer. One that does, and whose number is given back meanwhile, pauses and says why. */
const creationMs = 60_000;

const endedPhases: readonly string[] = ['completed', 'cancelled', 'failed'];

export interface NotedNumber {
  readonly campaignId: string;
  readonly organizationId: string;
  readonly phoneNumber: string;
}

/** Says that a campaign is about to be created, before it is. */
export const noteNumber = async (
  db: Database,
  { campaignId, organizationId, phoneNumber }: NotedNumber,
  now: Date,
): Promise<void> => {
  await db.query(
    `insert into campaign_numbers (campaign_id, organization_id, phone_number, noted_at) values ($1, $2, $3, $4)
     on conflict (campaign_id) do update set noted_at = excluded.noted_at`,
    [campaignId, organizationId, phoneNumber, now],
  );
};

/** The id of a campaign of the number that has not ended, or is being created; null when there is none. */
export const campaignFrom = async (
  { db, campaigns }: { readonly db: Database; readonly campaigns: Pick<Campaigns, 'load'> },
  { organizationId, phoneNumber }: Omit<NotedNumber, 'campaignId'>,
  now: Date,
): Promise<string | null> => {
  const { rows } = await db.query<{ id: string; isFresh: boolean }>(
    `select n.campaign_id as id, n.noted_at > $3 as "isFresh"
     from campaign_numbers n left join campaigns c on c.id = n.campaign_id
     where n.organization_id = $1 and n.phone_number = $2
       and (c.status is null or c.status in ('validating', 'scheduled', 'running', 'paused'))
     order by n.campaign_id`,
    [organizationId, phoneNumber, new Date(now.getTime() - creationMs)],
  );
  for (const { id, isFresh } of rows) {
    // The read model follows a moment later; the stream knows.
    const { phase } = (await campaigns.load(id)).state;
    if (phase === 'absent' ? isFresh : !endedPhases.includes(phase)) return id;
  }
  return null;
};
