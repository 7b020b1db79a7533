// The filters of the list of campaigns, as they stand in the address.
import { filterWords } from '../../strings/filter-words.js';

export interface CampaignsSearch {
  /** Part of a name. */
  readonly name?: string;
  readonly state?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The filters in an address; everything else is dropped. */
export const readCampaignsSearch = (address: Record<string, unknown>): CampaignsSearch => {
  const [name, state] = [textOf(address.name), textOf(address.state)];
  return {
    ...(name === undefined ? {} : { name }),
    ...(state !== undefined && Object.hasOwn(filterWords.campaigns.states, state) ? { state } : {}),
  };
};
