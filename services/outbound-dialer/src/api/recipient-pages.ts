// Pages of the people of a campaign, with the rows of its file that cannot be called.
import type { CampaignRecipient, RecipientState as ShownState } from '@parlance/contracts';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import {
  type CampaignKey,
  hasRefusedRows,
  type ListedRefusal,
  type ListParts,
  listRecipients,
  listRefusedRows,
  type RowPage,
} from '../read-models/recipient-list.js';
import { storedStates, toRecipient, toRefused } from './recipient-view.js';

export interface PagedCampaign extends CampaignKey {
  readonly campaign: KnownCampaign;
}

/** The refused rows that the campaign's own report has, for a file that an older release read. */
const fromReport = ({ file, updatedAt }: KnownCampaign, { after, limit }: RowPage): ListedRefusal[] =>
  (file?.errors ?? [])
    .filter(({ row }) => row > after)
    .sort((a, b) => a.row - b.row)
    .slice(0, limit)
    .map(({ row, code, message }) => ({
      rowNumber: row,
      phoneNumber: null,
      code,
      message,
      refusedAt: new Date(updatedAt),
    }));

const refusedRows = async (parts: ListParts, of: PagedCampaign, page: RowPage): Promise<ListedRefusal[]> => {
  const found = await listRefusedRows(parts, of, page);
  const { campaign } = of;
  if (found.length > 0 || campaign.file === null || campaign.file.errors.length === 0) return found;
  return (await hasRefusedRows(parts.db, of)) ? found : fromReport(campaign, page);
};

/** Up to `limit` people after a row, in the order of the file. */
export const pageOfRecipients = async (
  parts: ListParts,
  of: PagedCampaign,
  state: ShownState | undefined,
  page: RowPage,
  now: Date,
): Promise<CampaignRecipient[]> => {
  const { campaign } = of;
  const states = state === undefined || state === 'refused' ? undefined : storedStates(state, campaign);
  const people = state === 'refused' ? [] : await listRecipients(parts, of, states, page);
  const refused = state === undefined || state === 'refused' ? await refusedRows(parts, of, page) : [];
  return [
    ...people.map((recipient) => toRecipient(recipient, campaign, now)),
    ...refused.map((row) => toRefused(row)),
  ]
    .sort((a, b) => a.rowNumber - b.rowNumber)
    .slice(0, page.limit);
};
