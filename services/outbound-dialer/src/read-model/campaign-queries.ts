// Questions to the read model of campaigns, asked within one organization.
import type { Tx } from '@parlance/postgres';
import type { KnownCampaign } from '../campaign/campaign-state.js';

export interface ListedCampaign {
  readonly id: string;
  readonly state: KnownCampaign;
}

/** The newest, newest first. */
export const listCampaigns = async (
  db: Tx,
  organizationId: string,
  { agentId, limit }: { readonly agentId: string | undefined; readonly limit: number },
): Promise<ListedCampaign[]> => {
  const { rows } = await db.query<ListedCampaign>(
    `select id, state from campaigns where organization_id = $1 and ($2::uuid is null or agent_id = $2)
     order by created_at desc, id desc limit $3`,
    [organizationId, agentId ?? null, limit],
  );
  return rows;
};
