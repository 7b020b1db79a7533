// Puts the parts of the import together for the service as it runs.
import type { ObjectStorage } from '@parlance/object-storage';
import type { Host } from '@parlance/service-host';
import type { Env } from './env.js';
import type { CampaignImportParts } from './import/campaign-import.js';
import { ImportRunner } from './import/import-runner.js';
import type { ImportLimits } from './import/import-types.js';
import { askNumbersOver, askPlaceholdersOver, askSettingsOver } from './integration/clients.js';
import { settingsOf } from './limits/organization-settings.js';
import type { Campaigns } from './repositories/campaign-repository.js';
import { allowedCountries } from './rules/destinations.js';

/** The same countries that the moment of dialling asks for. */
export const countriesOf = (env: Env, host: Host): CampaignImportParts['allowedCountries'] => {
  const [askNumbers, askSettings] = [askNumbersOver(host), askSettingsOver(host)];
  return async (organizationId, fromNumber) => {
    const [settings, { countries }] = await Promise.all([
      settingsOf(host.db, askSettings, organizationId, host.clock.now()),
      askNumbers(organizationId, fromNumber),
    ]);
    const everybodys = env.OUTBOUND_ALLOWED_COUNTRIES;
    return allowedCountries({ settings, ownCountries: countries, everybodys });
  };
};

export const importLimits = (env: Env): ImportLimits => ({
  maxRows: env.CAMPAIGN_MAX_ROWS,
  maxBytes: env.CAMPAIGN_MAX_FILE_BYTES,
  maxInflatedBytes: env.CAMPAIGN_MAX_INFLATED_BYTES,
});

/** Reads the files of campaigns from now on. */
export const startImport = (
  env: Env,
  host: Host,
  own: {
    readonly campaigns: Campaigns;
    readonly storage: ObjectStorage;
    readonly personalData: CampaignImportParts['personalData'];
    readonly hashNumbers: CampaignImportParts['hashNumbers'];
    readonly recipientForm: CampaignImportParts['recipientForm'];
  },
): ImportRunner => {
  const { db, clock, ids, logger } = host;
  const runner = new ImportRunner({
    ...own,
    db,
    clock,
    ids,
    logger,
    limits: importLimits(env),
    allowedCountries: countriesOf(env, host),
    askPlaceholders: askPlaceholdersOver(host),
  });
  runner.start();
  return runner;
};
