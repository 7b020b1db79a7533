// Searching for numbers to buy, with their prices.
import type { NumberType, OfferedNumber } from '@parlance/fake-kit/numbers';
import { Router } from 'express';
import { z } from 'zod';
import { type Context, under } from './context.js';
import { badRequest } from './errors.js';
import { queryOf } from './requests.js';

/** US dollars a month, close to the provider's prices. */
const prices: Readonly<Record<string, Partial<Record<NumberType, string>>>> = {
  US: { local: '1.00000', toll_free: '1.00000' },
  CA: { local: '1.00000' },
  GB: { local: '1.00000', mobile: '1.50000', toll_free: '2.00000' },
  DE: { local: '1.00000', mobile: '12.00000' },
  FR: { local: '1.00000', mobile: '10.00000' },
  ES: { local: '1.00000', mobile: '10.00000' },
  NL: { local: '1.00000', mobile: '5.00000' },
  AU: { local: '2.00000', mobile: '4.00000' },
};

const flag = z.enum(['true', 'false']).optional();
const part = z.string().regex(/^\d+$/).optional();
const Filter = z.strictObject({
  country_code: z.string().default('US'),
  national_destination_code: z.string().optional(),
  phone_number_type: z.enum(['local', 'mobile', 'toll_free', 'national', 'shared_cost']).optional(),
  locality: z.string().optional(),
  administrative_area: z.string().optional(),
  phone_number: z.strictObject({ starts_with: part, ends_with: part, contains: part }).prefault({}),
  features: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(250).default(100),
  best_effort: flag,
  quickship: flag,
  reservable: flag,
  exclude_held_numbers: flag,
});

const featuresOf = (type: NumberType): string[] =>
  type === 'toll_free' ? ['voice', 'fax'] : ['voice', 'sms', 'fax'];
const same = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted.toLowerCase() === value?.toLowerCase();

const matches = (filter: z.output<typeof Filter>) => {
  const features = filter.features?.split(',') ?? [];
  const { starts_with, ends_with, contains } = filter.phone_number;
  return ({ national, area }: OfferedNumber): boolean => {
    // With an area code in the filter the patterns apply to the digits behind it.
    const digits = filter.national_destination_code ? national.slice(area.areaCode.length) : national;
    return (
      same(filter.national_destination_code, area.areaCode) &&
      same(filter.locality, area.locality) &&
      same(filter.administrative_area, area.region) &&
      features.every((feature) => featuresOf(area.type).includes(feature)) &&
      digits.startsWith(starts_with ?? '') &&
      digits.endsWith(ends_with ?? '') &&
      digits.includes(contains ?? '')
    );
  };
};

const json = ({ phoneNumber, area }: OfferedNumber): object => {
  const region = (region_type: string, region_name: string | null) =>
    region_name === null ? [] : [{ region_type, region_name }];
  const cost = prices[area.country]?.[area.type] ?? '1.00000';
  return {
    record_type: 'available_phone_number',
    phone_number: phoneNumber,
    vanity_format: '',
    best_effort: false,
    quickship: true,
    reservable: true,
    region_information: [
      ...region('country_code', area.country),
      ...region('state', area.region),
      ...region('location', area.locality),
    ],
    cost_information: { upfront_cost: cost, monthly_cost: cost, currency: 'USD' },
    features: featuresOf(area.type).map((name) => ({ name })),
  };
};

export const availableNumberRoutes = (context: Context): Router => {
  const { inventory, accounts } = context;
  return Router().get('/available_phone_numbers', under(context, 'search'), (request, response) => {
    const { filter } = queryOf(request, Filter);
    const types = inventory.typesIn(filter.country_code);
    if (types.length === 0) throw badRequest(`There are no numbers in ${filter.country_code}.`);
    const found = types
      .filter((type) => filter.phone_number_type === undefined || filter.phone_number_type === type)
      .flatMap((type) => inventory.offers(filter.country_code, type))
      .filter(matches(filter))
      .filter(({ phoneNumber }) => !accounts.owner(phoneNumber))
      .slice(0, filter.limit);
    const meta = { total_results: found.length, best_effort_results: 0 };
    response.json({ data: found.map(json), meta, metadata: meta });
  });
};
