// Telephone numbers: found, quoted, owned.
import { z } from 'zod';
import { Provider } from './call-status.js';
import { currency, micros, phoneNumber, queryInteger, text, timestamp, uuid } from './text.js';

export const NumberSearchQuery = z.strictObject({
  provider: Provider,
  country: z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code of two letters'),
  areaCode: queryInteger(1, 999_999).optional(),
  limit: queryInteger(1, 50).optional(),
});

export const NumberSearchResult = z
  .object({
    phoneNumber: z.string(),
    friendlyName: z.string(),
    locality: z.string().optional(),
    region: z.string().optional(),
    isoCountry: z.string().optional(),
    providerMonthlyCostMicros: micros,
    monthlyPriceMicros: micros,
    currency: currency
      .optional()
      .meta({ description: 'ISO 4217, of both prices; absent from older releases' }),
    quoteId: z.string(),
    quoteExpiresAt: timestamp,
    rateCatalogVersion: z.string(),
  })
  .meta({ id: 'NumberSearchResult', description: 'A phone number for sale.' });
export type NumberSearchResult = z.infer<typeof NumberSearchResult>;

export const NumberPurchase = z.strictObject({
  provider: Provider,
  phoneNumber,
  quoteId: text(1, 2_048).optional(),
});
export const NumberAssignment = z.strictObject({ agentId: uuid.nullable() });

export const NumberStatus = z.enum(['provisioning', 'active', 'releasing', 'released', 'failed']);
export type NumberStatus = z.infer<typeof NumberStatus>;

export const PhoneNumber = z
  .object({
    id: uuid,
    provider: Provider,
    phoneNumber: z.string(),
    friendlyName: z.string(),
    isoCountry: z.string(),
    locality: z.string().nullable(),
    region: z.string().nullable(),
    capabilities: z.object({ voice: z.boolean(), sms: z.boolean() }),
    status: NumberStatus,
    providerNumberId: z.string().nullable(),
    agentId: uuid.nullable(),
    agentName: z.string().nullable(),
    providerMonthlyCostMicros: micros,
    monthlyPriceMicros: micros,
    currency,
    rateCatalogVersion: z.string(),
    purchasedBy: z.string(),
    purchasedAt: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'PhoneNumber', description: 'A phone number of the organization.' });
export type PhoneNumber = z.infer<typeof PhoneNumber>;
