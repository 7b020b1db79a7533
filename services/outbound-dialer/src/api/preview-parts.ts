// The tools of the preview of a campaign's file.
import type { AskNumbers } from '../attempt/caller-numbers.js';
import type { CampaignImportParts } from '../import/campaign-import.js';
import type { SpendSources } from '../ledger/call-spending.js';
import type { AskSettings } from '../limits/organization-settings.js';
import type { CampaignParts } from './campaign-parts.js';

type OfCampaigns = Pick<CampaignParts, 'db' | 'rpc' | 'clock' | 'ids' | 'storage' | 'callerFor'>;

/** A class only so that Nest can inject it by type. */
export class PreviewParts implements OfCampaigns {
  declare readonly db: OfCampaigns['db'];
  declare readonly rpc: OfCampaigns['rpc'];
  declare readonly clock: OfCampaigns['clock'];
  declare readonly ids: OfCampaigns['ids'];
  declare readonly storage: OfCampaigns['storage'];
  declare readonly callerFor: OfCampaigns['callerFor'];
  /** The limits of the import. */
  declare readonly limits: CampaignImportParts['limits'];
  declare readonly allowedCountries: CampaignImportParts['allowedCountries'];
  declare readonly hashNumbers: CampaignImportParts['hashNumbers'];
  declare readonly askNumbers: AskNumbers;
  declare readonly askSettings: AskSettings;
  declare readonly spend: Pick<SpendSources, 'rates' | 'maxCallSeconds'>;
}
