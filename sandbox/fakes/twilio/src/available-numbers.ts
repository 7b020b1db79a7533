// Searching for numbers to buy.
import type { NumberType, OfferedNumber } from '@parlance/fake-kit/numbers';
import { Router } from 'express';
import { type Context, under } from './context.js';
import { invalid, notFound } from './errors.js';
import { Parameters } from './parameters.js';

const types: Readonly<Record<string, NumberType>> = {
  'Local.json': 'local',
  'Mobile.json': 'mobile',
  'TollFree.json': 'toll_free',
};
const known = [
  'AreaCode',
  'Contains',
  'InRegion',
  'InLocality',
  'VoiceEnabled',
  'SmsEnabled',
  'MmsEnabled',
  'FaxEnabled',
  'Beta',
  'ExcludeAllAddressRequired',
  'ExcludeLocalAddressRequired',
  'ExcludeForeignAddressRequired',
];
const keypad = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];
const defaultPageSize = 30;
const northAmerica = ['US', 'CA'];

/** `*` stands for any digit, a letter for the digit of its key. */
const pattern = (contains: string): RegExp => {
  if (!/^\+?[\dA-Za-z*%]{2,}$/.test(contains)) throw invalid('Contains must be digits, letters and *');
  const digits = [...contains.replace('+', '').toUpperCase()].map((sign) => {
    if (sign === '*') return String.raw`\d`;
    if (sign === '%') return String.raw`\d*`;
    return /[A-Z]/.test(sign) ? String(keypad.findIndex((letters) => letters.includes(sign))) : sign;
  });
  return new RegExp(`${contains.startsWith('+') ? String.raw`^\+` : ''}${digits.join('')}`);
};

/** The name of a number that its owner has not named. */
export const friendlyName = ({ phoneNumber, national, area }: OfferedNumber): string =>
  area.callingCode === '1'
    ? `(${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}`
    : phoneNumber;

export const capabilitiesOf = (
  type: NumberType,
): { voice: boolean; sms: boolean; mms: boolean; fax: boolean } => ({
  voice: true,
  sms: type !== 'toll_free',
  mms: false,
  fax: false,
});

const matches = (parameters: Parameters) => {
  const contains = parameters.text('Contains');
  const expression = contains === undefined ? undefined : pattern(contains);
  return (offer: OfferedNumber): boolean => {
    const { area } = offer;
    const capabilities = capabilitiesOf(area.type);
    const wanted = (name: string, has: boolean): boolean => (parameters.flag(name) ?? has) === has;
    const equals = (name: string, value: string | null): boolean =>
      (parameters.text(name) ?? value)?.toLowerCase() === value?.toLowerCase();
    return (
      // Area codes are a notion of North America; elsewhere the provider does not look at them.
      (!northAmerica.includes(area.country) || equals('AreaCode', area.areaCode)) &&
      equals('InRegion', area.region) &&
      equals('InLocality', area.locality) &&
      wanted('VoiceEnabled', capabilities.voice) &&
      wanted('SmsEnabled', capabilities.sms) &&
      wanted('MmsEnabled', capabilities.mms) &&
      wanted('FaxEnabled', capabilities.fax) &&
      (expression === undefined || expression.test(offer.phoneNumber) || expression.test(offer.national))
    );
  };
};

const json = (offer: OfferedNumber): object => {
  const { voice, sms, mms, fax } = capabilitiesOf(offer.area.type);
  return {
    friendly_name: friendlyName(offer),
    phone_number: offer.phoneNumber,
    lata: null,
    locality: offer.area.locality,
    rate_center: null,
    latitude: null,
    longitude: null,
    region: offer.area.region,
    postal_code: null,
    iso_country: offer.area.country,
    address_requirements: 'none',
    beta: false,
    // Written like this by the provider, here and nowhere else.
    capabilities: { voice, SMS: sms, MMS: mms, fax },
  };
};

const uriNames: Record<NumberType, readonly [string, string]> = {
  local: ['local', 'Local.json'],
  mobile: ['mobile', 'Mobile.json'],
  toll_free: ['toll_free', 'TollFree.json'],
};

export const availableNumberRoutes = (context: Context): Router => {
  const { inventory, accounts } = context;
  const router = Router({ mergeParams: true });
  router.get(
    '/AvailablePhoneNumbers/:country.json',
    under(context, 'search'),
    ({ params, baseUrl, originalUrl }, response) => {
      const country = String(params.country);
      const sold = inventory.typesIn(country);
      if (sold.length === 0) throw notFound(originalUrl);
      const uris = sold.map((type) => [
        uriNames[type][0],
        `${baseUrl}/AvailablePhoneNumbers/${country}/${uriNames[type][1]}`,
      ]);
      response.json({
        country_code: country,
        country: new Intl.DisplayNames('en', { type: 'region' }).of(country),
        uri: originalUrl,
        beta: false,
        subresource_uris: Object.fromEntries(uris),
      });
    },
  );
  router.get(
    '/AvailablePhoneNumbers/:country/:type',
    under(context, 'search'),
    ({ params, query, originalUrl }, response) => {
      const type = types[String(params.type)];
      const country = String(params.country);
      if (!type || !inventory.typesIn(country).includes(type))
        throw notFound(originalUrl.split('?')[0] ?? '');
      const parameters = Parameters.from(query, known);
      const size = parameters.integer('PageSize', defaultPageSize);
      const found = inventory
        .offers(country, type)
        .filter(matches(parameters))
        .filter(({ phoneNumber }) => !accounts.owner(phoneNumber));
      // One page only, as the provider does it: a client that wants other numbers asks again.
      response.json({ available_phone_numbers: found.slice(0, size).map(json), uri: originalUrl });
    },
  );
  return router;
};
