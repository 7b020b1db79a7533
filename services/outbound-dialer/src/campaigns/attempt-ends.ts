// How the attempts of a campaign ended lately, for its circuit breaker.
import type { Tx } from '@parlance/postgres';
import type { SeenEnd } from '../rules/breaker.js';

/** More than enough for a judgement, few enough to be read every second. */
const mostEnds = 1_000;

/**
 * Ends of the campaign's attempts after `since`, newest first. Attempts that were abandoned before their dial do not
 * count.
 */
export const endsSince = async (tx: Tx, campaignId: string, since: Date): Promise<SeenEnd[]> => {
  const { rows } = await tx.query<SeenEnd>({
    name: 'campaign-ends',
    text: `select a->>'endedAt' as at, a->>'status' as status, a->>'endedReason' as reason
           from outbound_calls c, jsonb_array_elements(c.state->'past') as a
           where c.campaign_id = $1 and c.updated_at > $2::timestamptz and a->>'endedAt' > $3
             and a->'isAbandoned' is null
           order by c.updated_at desc, a->>'endedAt' desc limit $4`,
    values: [campaignId, since.toISOString(), since.toISOString(), mostEnds],
  });
  return rows;
};
