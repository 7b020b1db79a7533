// The outcomes of a campaign's recipients, by the hour. A trigger keeps them for each quarter of an hour, so the number
// of recipients does not matter.
import type { Tx } from '@parlance/postgres';
import type { TerminalState } from '../domain/campaign/recipient-states.js';

/** The longest range, in days before the last outcome; older outcomes are left out. */
const mostDays = 31;

export interface OutcomeCount {
  /** The beginning of an hour by the clock of the time zone. */
  readonly at: Date;
  readonly state: TerminalState;
  readonly recipients: number;
}

export interface OutcomesByHour {
  /** Oldest first; an hour without an outcome is absent. */
  readonly counts: readonly OutcomeCount[];
  /** False: there are older outcomes. */
  readonly isComplete: boolean;
}

const since = `(select max(quarter) - interval '${mostDays} days' from campaign_outcomes where campaign_id = $1)`;

/** @param timeZone of the IANA database */
export const outcomesByHour = async (
  tx: Tx,
  organizationId: string,
  campaignId: string,
  timeZone: string,
): Promise<OutcomesByHour> => {
  // The minutes are taken off by the local clock: some zones are half an hour beside the others.
  const { rows } = await tx.query<OutcomeCount>({
    name: 'campaign-outcomes',
    text: `select quarter - make_interval(mins => extract(minute from quarter at time zone $3)::int) as at, state,
             sum(recipients)::float8 as recipients
           from campaign_outcomes where campaign_id = $1 and organization_id = $2 and quarter >= ${since}
           group by 1, 2 order by 1, 2`,
    values: [campaignId, organizationId, timeZone],
  });
  const { rowCount } = await tx.query({
    name: 'campaign-outcomes-older',
    text: `select from campaign_outcomes where campaign_id = $1 and organization_id = $2 and quarter < ${since} limit 1`,
    values: [campaignId, organizationId],
  });
  return { counts: rows, isComplete: rowCount === 0 };
};
