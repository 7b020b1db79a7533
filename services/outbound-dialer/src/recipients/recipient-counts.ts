// The progress of a campaign: one indexed read of the counts that triggers keep. Also a comparison of the counts with
// the rows.
import type { Tx } from '@parlance/postgres';
import {
  noRecipients,
  type RecipientCounts,
  type RecipientState,
} from '../domain/campaign/recipient-states.js';

interface CountRow {
  readonly campaignId: string;
  readonly state: RecipientState;
  readonly recipients: number;
  readonly attempts: number;
  readonly costMicros: number;
}

const add = (counts: RecipientCounts, row: CountRow): RecipientCounts => ({
  recipients: { ...counts.recipients, [row.state]: row.recipients },
  attempts: counts.attempts + row.attempts,
  costMicros: counts.costMicros + row.costMicros,
});

/** The counts of each of these campaigns, all at one instant. A campaign without recipients has zeros. */
export const countsOf = async (
  tx: Tx,
  campaignIds: readonly string[],
): Promise<ReadonlyMap<string, RecipientCounts>> => {
  const { rows } = await tx.query<CountRow>({
    name: 'campaign-counts',
    text: `select campaign_id as "campaignId", state, recipients::float8 as recipients, attempts::float8 as attempts,
             cost_micros::float8 as "costMicros" from campaign_counts where campaign_id = any($1)`,
    values: [campaignIds],
  });
  const all = new Map(campaignIds.map((id) => [id, noRecipients]));
  for (const row of rows) all.set(row.campaignId, add(all.get(row.campaignId) ?? noRecipients, row));
  return all;
};

const difference = `
  select coalesce(c.state, r.state) as state, coalesce(c.recipients, 0)::float8 as kept, coalesce(r.recipients, 0)::float8 as counted
  from (select state, recipients, attempts, cost_micros from campaign_counts where campaign_id = $1) as c
  full join (
    select state, count(*) as recipients, sum(attempts) as attempts, sum(cost_micros) as cost_micros
    from campaign_recipients where campaign_id = $1 group by state) as r using (state)
  where (coalesce(c.recipients, 0), coalesce(c.attempts, 0), coalesce(c.cost_micros, 0))
    is distinct from (coalesce(r.recipients, 0), coalesce(r.attempts, 0), coalesce(r.cost_micros, 0))`;

/**
 * Compares the kept counts with the rows, at this instant.
 * @returns the differences, in words; none for a campaign whose books are in order
 */
export const checkCampaign = async (tx: Tx, campaignId: string): Promise<string[]> => {
  const { rows } = await tx.query<{ state: string; kept: number; counted: number }>(difference, [campaignId]);
  return rows.map(
    ({ state, kept, counted }) => `${state}: ${kept} are kept and ${counted} counted, or their sums differ`,
  );
};
