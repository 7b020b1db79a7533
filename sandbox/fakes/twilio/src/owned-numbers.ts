// Buying, configuring and releasing numbers.
import type { OfferedNumber } from '@parlance/fake-kit/numbers';
import { Router } from 'express';
import { newSid, type OwnedNumber } from './account.js';
import { capabilitiesOf, friendlyName } from './available-numbers.js';
import { type Context, callerOf, under } from './context.js';
import { invalid, notFound, TwilioError } from './errors.js';
import { listByUri } from './paging.js';
import { Parameters } from './parameters.js';
import { rfc2822 } from './times.js';

const settable = [
  'FriendlyName',
  'VoiceUrl',
  'VoiceMethod',
  'VoiceFallbackUrl',
  'VoiceFallbackMethod',
  'StatusCallback',
  'StatusCallbackMethod',
  'SmsUrl',
  'SmsMethod',
  'SmsFallbackUrl',
  'SmsFallbackMethod',
  'VoiceApplicationSid',
  'SmsApplicationSid',
  'TrunkSid',
];
const addresses = ['VoiceUrl', 'VoiceFallbackUrl', 'StatusCallback', 'SmsUrl', 'SmsFallbackUrl'];
const methods = { voice_method: 'POST', voice_fallback_method: 'POST', status_callback_method: 'POST' };
const smsMethods = { sms_method: 'POST', sms_fallback_method: 'POST' };

export const numberJson = (number: OwnedNumber): Record<string, unknown> => {
  const { sid, accountSid, phoneNumber, type, settings } = number;
  const uri = `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${sid}`;
  const unset = Object.fromEntries(
    ['voice_url', 'voice_fallback_url', 'status_callback', 'sms_url', 'sms_fallback_url'].map((name) => [
      name,
      '',
    ]),
  );
  return {
    sid,
    account_sid: accountSid,
    phone_number: phoneNumber,
    ...unset,
    ...methods,
    ...smsMethods,
    voice_application_sid: '',
    sms_application_sid: '',
    ...settings,
    trunk_sid: settings.trunk_sid || null,
    voice_caller_id_lookup: false,
    voice_receive_mode: 'voice',
    date_created: rfc2822(number.createdAt),
    date_updated: rfc2822(number.updatedAt),
    capabilities: capabilitiesOf(type),
    address_requirements: 'none',
    address_sid: null,
    identity_sid: null,
    bundle_sid: null,
    emergency_status: 'Inactive',
    emergency_address_sid: null,
    emergency_address_status: 'unregistered',
    beta: false,
    origin: 'twilio',
    status: 'in-use',
    type: type.replace('_', '-'),
    api_version: '2010-04-01',
    uri: `${uri}.json`,
    subresource_uris: { assigned_add_ons: `${uri}/AssignedAddOns.json` },
  };
};

export const ownedNumberRoutes = (context: Context): Router => {
  const { accounts, inventory } = context;
  const router = Router({ mergeParams: true });

  const settingsOf = (parameters: Parameters, accountSid: string): Record<string, string> => {
    for (const name of addresses) {
      const address = parameters.text(name);
      if (address && URL.parse(address) === null)
        throw new TwilioError(400, 21502, `${name} is not a valid URL`);
    }
    const trunkSid = parameters.text('TrunkSid');
    if (trunkSid && accounts.trunks.get(trunkSid)?.accountSid !== accountSid)
      throw invalid(`TrunkSid ${trunkSid} was not found`);
    return parameters.settings(settable);
  };

  const wanted = (parameters: Parameters): string => {
    const phoneNumber = parameters.text('PhoneNumber');
    const areaCode = parameters.text('AreaCode');
    if (phoneNumber) return phoneNumber;
    if (!areaCode) throw new TwilioError(400, 21421, 'PhoneNumber or AreaCode is required');
    const free = inventory
      .offers('US', 'local')
      .find((offer) => offer.area.areaCode === areaCode && !accounts.owner(offer.phoneNumber));
    if (!free) throw new TwilioError(400, 21452, `No phone numbers found in area code ${areaCode}`);
    return free.phoneNumber;
  };

  const offered = (phoneNumber: string): OfferedNumber => {
    if (!/^\+\d{6,15}$/.test(phoneNumber))
      throw new TwilioError(400, 21421, `PhoneNumber ${phoneNumber} is invalid`);
    const offer = inventory.find(phoneNumber);
    if (!offer) throw new TwilioError(400, 21422, `${phoneNumber} is not available`);
    return offer;
  };

  /** Buying a number that the account owns already changes its settings: the provider takes it for an update. */
  const buy = (parameters: Parameters, accountSid: string): Promise<OwnedNumber> => {
    const offer = offered(wanted(parameters));
    const settings = settingsOf(parameters, accountSid);
    const owner = accounts.owner(offer.phoneNumber);
    if (owner?.accountSid === accountSid) return configure(owner, settings);
    if (owner) throw new TwilioError(400, 21422, `${offer.phoneNumber} is not available`);
    const now = new Date().toISOString();
    return accounts.put('purchase', {
      sid: newSid('PN'),
      accountSid,
      phoneNumber: offer.phoneNumber,
      type: offer.area.type,
      settings: { friendly_name: friendlyName(offer), ...settings },
      createdAt: now,
      updatedAt: now,
    });
  };

  const configure = (number: OwnedNumber, settings: Record<string, string>): Promise<OwnedNumber> =>
    accounts.put('configure', {
      ...number,
      settings: { ...number.settings, ...settings },
      updatedAt: new Date().toISOString(),
    });

  const owned = (accountSid: string, name: string, path: string): OwnedNumber => {
    const number = accounts.numbers.get(name.replace(/\.json$/, ''));
    if (number?.accountSid !== accountSid) throw notFound(path);
    return number;
  };

  router.post('/IncomingPhoneNumbers.json', under(context, 'buy'), async ({ body }, response) => {
    const parameters = Parameters.from(body, ['PhoneNumber', 'AreaCode', ...settable]);
    response.status(201).json(numberJson(await buy(parameters, callerOf(response))));
  });
  router.get('/IncomingPhoneNumbers.json', under(context, 'read'), (request, response) => {
    const parameters = Parameters.from(request.query, ['PhoneNumber', 'FriendlyName', 'Beta', 'Origin']);
    const [part, name] = [parameters.text('PhoneNumber'), parameters.text('FriendlyName')];
    const found = accounts
      .numbersOf(callerOf(response))
      .filter(({ phoneNumber }) => part === undefined || phoneNumber.includes(part.replaceAll('*', '')))
      .filter(({ settings }) => name === undefined || settings.friendly_name === name);
    response.json(listByUri(request, parameters, 'incoming_phone_numbers', found, numberJson));
  });
  router.get('/IncomingPhoneNumbers/:sid', under(context, 'read'), ({ params, originalUrl }, response) => {
    response.json(numberJson(owned(callerOf(response), String(params.sid), originalUrl)));
  });
  router.post(
    '/IncomingPhoneNumbers/:sid',
    under(context, 'configure'),
    async ({ params, body, originalUrl }, response) => {
      const accountSid = callerOf(response);
      const number = owned(accountSid, String(params.sid), originalUrl);
      const settings = settingsOf(Parameters.from(body, settable), accountSid);
      response.json(numberJson(await configure(number, settings)));
    },
  );
  router.delete(
    '/IncomingPhoneNumbers/:sid',
    under(context, 'release'),
    async ({ params, originalUrl }, response) => {
      await accounts.release(owned(callerOf(response), String(params.sid), originalUrl));
      response.status(204).end();
    },
  );
  return router;
};
