// Facts of other services that the gateway sends along with requests about numbers.
import { z } from 'zod';
import { json, uuid } from './text.js';

/** A purchase that is on record, and that orders its number once a month of it is reserved. */
export const BegunPurchase = z.object({
  numberId: uuid,
  monthlyPriceMicros: z.int().min(0),
  /** ISO 4217. */
  currency: z.string(),
  /** The numbers of the organization, with those that are being bought or given back, this one included. */
  numbersOwned: z.int().min(1),
});
export type BegunPurchase = z.infer<typeof BegunPurchase>;

/** Facts for the purchase of a number. */
export const NumberPurchaseFacts = z.object({
  numberId: uuid,
  /** Null: the month is reserved. The number is not ordered otherwise. */
  refusal: z
    .object({
      code: z.enum(['SPEND_LIMIT_REACHED', 'SERVICE_UNAVAILABLE']),
      details: z.record(z.string(), json).optional(),
    })
    .nullable(),
});
export type NumberPurchaseFacts = z.infer<typeof NumberPurchaseFacts>;

/** A number whose use by new campaigns is undecided until its release is, or the hold is over. */
export const NumberHold = z.object({ holdId: uuid, phoneNumber: z.string() });
export type NumberHold = z.infer<typeof NumberHold>;

/** Facts for the release of a number, which hold while the number is held. */
export const NumberReleaseFacts = z.object({
  holdId: uuid,
  /** An unfinished campaign that calls from the number. Null where it could not be read: the number is kept. */
  campaign: z.object({ id: uuid.nullable() }).nullable(),
});
export type NumberReleaseFacts = z.infer<typeof NumberReleaseFacts>;
