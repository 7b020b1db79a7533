// The monthly prices of numbers.
import type { NumberType } from '@parlance/fake-kit/numbers';
import { Router } from 'express';
import { type Context, under } from './context.js';
import { notFound } from './errors.js';
import { listByMeta } from './paging.js';
import { Parameters } from './parameters.js';

/** US dollars a month, close to the provider's prices. */
const prices: Readonly<Record<string, Partial<Record<NumberType, string>>>> = {
  US: { local: '1.15', toll_free: '2.15' },
  CA: { local: '1.15' },
  GB: { local: '1.15', mobile: '1.15', toll_free: '2.15' },
  DE: { local: '1.15', mobile: '15.00' },
  FR: { local: '1.15', mobile: '15.00' },
  ES: { local: '1.15', mobile: '15.00' },
  NL: { local: '3.25', mobile: '6.00' },
  AU: { local: '3.00', mobile: '6.50' },
};
const names: Record<NumberType, string> = { local: 'local', mobile: 'mobile', toll_free: 'toll free' };

export const pricingRoutes = (context: Context): Router => {
  const router = Router();
  const summary = (country: string, path: string) => ({
    sid: country,
    country: new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country,
    iso_country: country,
    url: `https://pricing.twilio.com${path}`,
  });
  router.get('/', under(context, 'prices'), (request, response) => {
    const parameters = Parameters.from(request.query, []);
    const all = context.inventory.countries.map((country) =>
      summary(country, `${request.baseUrl}/${country}`),
    );
    response.json(
      listByMeta(request, parameters, 'countries', all, ({ country, iso_country, url }) => ({
        country,
        iso_country,
        url,
      })),
    );
  });
  router.get('/:country', under(context, 'prices'), ({ params, originalUrl }, response) => {
    const code = String(params.country).toUpperCase();
    const found = prices[code];
    if (!found) throw notFound(originalUrl);
    const { country, iso_country, url } = summary(code, originalUrl);
    const ofType = (type: NumberType) => found[type] ?? '';
    const types = context.inventory.typesIn(code);
    response.json({
      country,
      iso_country,
      phone_number_prices: types.map((type) => ({
        number_type: names[type],
        base_price: ofType(type),
        current_price: ofType(type),
      })),
      price_unit: 'USD',
      url,
    });
  });
  return router;
};
