// A trunk as an account sees it.
import type { Trunk } from './account.js';
import type { Context } from './context.js';
import { notFound } from './errors.js';

export const root = 'https://trunking.twilio.com/v1/Trunks';

export const trunkJson = (
  { sid, accountSid, settings, createdAt, updatedAt }: Trunk,
  hasCredentials: boolean,
): object => ({
  sid,
  account_sid: accountSid,
  friendly_name: settings.friendly_name ?? '',
  domain_name: settings.domain_name || null,
  secure: settings.secure === 'true',
  cnam_lookup_enabled: settings.cnam_lookup_enabled === 'true',
  transfer_mode: settings.transfer_mode ?? 'disable-all',
  transfer_caller_id: settings.transfer_caller_id ?? 'from-transferor',
  disaster_recovery_method: null,
  disaster_recovery_url: null,
  recording: { mode: 'do-not-record', trim: 'do-not-trim' },
  auth_type: hasCredentials ? 'CREDENTIAL_LIST' : '',
  auth_type_set: hasCredentials ? ['CREDENTIAL_LIST'] : [],
  symmetric_rtp_enabled: false,
  date_created: createdAt,
  date_updated: updatedAt,
  url: `${root}/${sid}`,
  links: {
    origination_urls: `${root}/${sid}/OriginationUrls`,
    credential_lists: `${root}/${sid}/CredentialLists`,
    phone_numbers: `${root}/${sid}/PhoneNumbers`,
  },
});

/** @throws TwilioError 404, also for a trunk of another account */
export const trunkOf = ({ accounts }: Context, accountSid: string, sid: unknown, path: string): Trunk => {
  const trunk = accounts.trunks.get(String(sid));
  if (trunk?.accountSid !== accountSid) throw notFound(path);
  return trunk;
};
