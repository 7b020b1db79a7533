// The people of a campaign in the order of its file, page by page: those that may be called, and the rows that cannot be.
// A page costs the same, however many people there are.
import type { EndedReason } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';
import type { RecipientState } from '../domain/campaign/recipient-states.js';
import type { Attempt } from '../domain/outbound-call/outbound-call-state.js';
import { openCell, openRecipient, type StoredCell } from '../personal-data/sealed-recipients.js';
import type { RecipientRow, RefusedRow } from '../recipients/recipient-row.js';

export interface ListedRecipient {
  readonly rowNumber: number;
  /** E.164. */
  readonly phoneNumber: string;
  readonly timeZones: readonly string[];
  readonly row: RecipientRow;
  readonly outboundCallId: string;
  readonly state: RecipientState;
  /** Null before the end. */
  readonly reason: EndedReason | null;
  readonly attempts: number;
  readonly costMicros: number;
  readonly notBefore: Date | null;
  /** There is a stream of its call. */
  readonly isPlaced: boolean;
  readonly updatedAt: Date;
  readonly lastAttempt: Attempt | null;
}

export interface ListedRefusal extends RefusedRow {
  readonly refusedAt: Date;
}

export interface RowPage {
  /** Rows after this one. */
  readonly after: number;
  readonly limit: number;
}

/** The campaign, within its organization. */
export interface CampaignKey {
  readonly organizationId: string;
  readonly campaignId: string;
}

const columns = `r.row_number, r.phone_number, r.time_zones, r.row, r.outbound_call_id, r.state, r.reason, r.attempts,
  r.cost_micros, r.not_before, r.revision, r.updated_at`;

const listStatement = (found: string): string => `
  select p.row_number as "rowNumber", p.phone_number as "phoneNumber", p.time_zones as "timeZones", p.row,
    p.outbound_call_id as "outboundCallId", p.state, p.reason, p.attempts, p.cost_micros::float8 as "costMicros",
    p.not_before as "notBefore", p.revision >= 0 as "isPlaced", p.updated_at as "updatedAt",
    coalesce(c.state -> 'current', c.state -> 'past' -> -1) as "lastAttempt"
  from (${found} order by row_number limit $4) as p
  left join outbound_calls c on c.id = p.outbound_call_id and c.organization_id = $1
  order by p.row_number`;

const allStatement = listStatement(`
  select ${columns} from campaign_recipients r
  where r.organization_id = $1 and r.campaign_id = $2 and r.row_number > $3`);

/** Each state has its own bounded scan of the index by state. */
const statesStatement = listStatement(`
  select of_state.* from unnest($5::text[]) as wanted (state) cross join lateral (
    select ${columns} from campaign_recipients r
    where r.organization_id = $1 and r.campaign_id = $2 and r.state = wanted.state and r.row_number > $3
    order by r.row_number limit $4) as of_state`);

export interface ListParts {
  readonly db: Tx;
  readonly personalData: Pick<PersonalData, 'open'>;
}

/** @param states undefined for all */
export const listRecipients = async (
  { db, personalData }: ListParts,
  { organizationId, campaignId }: CampaignKey,
  states: readonly RecipientState[] | undefined,
  { after, limit }: RowPage,
): Promise<ListedRecipient[]> => {
  if (states?.length === 0) return [];
  const key = [organizationId, campaignId, after, limit];
  const { rows } = await db.query<ListedRecipient>(
    states === undefined
      ? { name: 'recipients-list', text: allStatement, values: key }
      : { name: 'recipients-list-states', text: statesStatement, values: [...key, states] },
  );
  return Promise.all(
    rows.map(async (found) => ({ ...found, ...(await openRecipient(personalData, campaignId, found)) })),
  );
};

export const listRefusedRows = async (
  { db, personalData }: ListParts,
  { organizationId, campaignId }: CampaignKey,
  { after, limit }: RowPage,
): Promise<ListedRefusal[]> => {
  const { rows } = await db.query<ListedRefusal & StoredCell>({
    name: 'refused-rows-list',
    text: `select row_number as "rowNumber", phone_number as "phoneNumber", sealed_cell as "sealedCell", code, message,
             refused_at as "refusedAt"
           from campaign_refused_rows
           where organization_id = $1 and campaign_id = $2 and row_number > $3 order by row_number limit $4`,
    values: [organizationId, campaignId, after, limit],
  });
  return Promise.all(
    rows.map(async ({ sealedCell, ...row }) => ({
      ...row,
      phoneNumber: await openCell(personalData, campaignId, { phoneNumber: row.phoneNumber, sealedCell }),
    })),
  );
};

/** False for a campaign whose file has no refused row, or was read by a release that kept only the first hundred. */
export const hasRefusedRows = async (
  tx: Tx,
  { organizationId, campaignId }: CampaignKey,
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'refused-rows-exist',
    text: 'select from campaign_refused_rows where organization_id = $1 and campaign_id = $2 limit 1',
    values: [organizationId, campaignId],
  });
  return rowCount > 0;
};
