// Questions to the read model of campaigns, asked within one organization.
import type { Keyset, Tx } from '@parlance/postgres';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';

export interface ListedCampaign {
  readonly id: string;
  readonly created_at: Date;
  readonly state: KnownCampaign;
}

/** The newest, newest first. */
export const listCampaigns = async (
  db: Tx,
  organizationId: string,
  agentId: string | undefined,
  { createdAt, id, limit }: Keyset,
): Promise<ListedCampaign[]> => {
  const { rows } = await db.query<ListedCampaign>(
    `select id, created_at, state from campaigns where organization_id = $1 and ($2::uuid is null or agent_id = $2)
       and (created_at, id) < ($3::timestamptz, $4::uuid)
     order by created_at desc, id desc limit $5`,
    [organizationId, agentId ?? null, createdAt, id, limit],
  );
  return rows;
};
