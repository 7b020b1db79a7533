// The first step of a purchase: the future owner of the number is on record before the provider hears anything.
import type { Provider } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { isUniqueViolation, refuseClosed, type Tx } from '@parlance/postgres';
import { type Actor, audit } from '../numbers/announce.js';
import type { NumberRow } from '../numbers/number-record.js';
import type { Claimant } from './claims.js';

/** The number to buy, and its price. */
export interface NewNumber {
  readonly id: string;
  readonly organizationId: string;
  readonly provider: Provider;
  readonly phoneNumber: string;
  readonly friendlyName: string;
  readonly isoCountry: string;
  readonly locality: string | null;
  readonly region: string | null;
  readonly sms: boolean;
  readonly providerMonthlyCostMicros: number;
  readonly monthlyPriceMicros: number;
  readonly currency: string;
  readonly rateCatalogVersion: string;
  /** The nonce and the end of the quote, if there was one. */
  readonly quote: { readonly nonce: string; readonly expiresAt: Date } | null;
}

/** @throws AppError QUOTE_ALREADY_USED */
const useQuote = async (tx: Tx, { id, quote }: NewNumber): Promise<void> => {
  if (quote === null) return;
  const { rowCount } = await tx.query(
    'insert into used_quotes (nonce, number_id, expires_at) values ($1, $2, $3) on conflict do nothing',
    [quote.nonce, id, quote.expiresAt],
  );
  if (rowCount === 0) throw new AppError('QUOTE_ALREADY_USED');
};

const insertRow = async (
  tx: Tx,
  number: NewNumber & Pick<NumberRow, 'awaits_money'>,
  by: Actor,
  claimant: Claimant,
): Promise<NumberRow> => {
  const { rows } = await tx.query<NumberRow>(
    `insert into numbers (id, organization_id, provider, phone_number, friendly_name, iso_country, locality, region, sms,
       status, step, provider_monthly_cost_micros, monthly_price_micros, currency, rate_catalog_version, purchased_by,
       created_at, updated_at, next_try_at, claimed_by, claimed_until, awaits_money)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'provisioning', 'ordering', $10, $11, $12, $13, $14, $15, $15, $15, $16, $17, $18)
     returning *`,
    [
      number.id,
      number.organizationId,
      number.provider,
      number.phoneNumber,
      number.friendlyName,
      number.isoCountry,
      number.locality,
      number.region,
      number.sms,
      number.providerMonthlyCostMicros,
      number.monthlyPriceMicros,
      number.currency,
      number.rateCatalogVersion,
      by.caller.actor.id,
      claimant.now,
      claimant.holder,
      new Date(claimant.now.getTime() + claimant.forMs),
      number.awaits_money,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an insert returned nothing');
  return row;
};

/** Buyers of one organization come one after the other, so that each counts those before it. */
const lockOwned = async (tx: Tx, organizationId: string): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('numbers-of:' || $1, 0))`, [organizationId]);
};

const countOwned = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ owned: number }>(
    `select count(*)::int as owned from numbers
     where organization_id = $1 and status in ('provisioning', 'active', 'releasing')`,
    [organizationId],
  );
  return rows[0]?.owned ?? 0;
};

/** A number that is on record, and the count of numbers that its organization owns with it. */
export interface InsertedNumber {
  readonly row: NumberRow;
  readonly owned: number;
}

/**
 * @throws AppError QUOTE_ALREADY_USED; NUMBER_UNAVAILABLE when an organization here has the number, or is buying it;
 *   CONFLICT when the organization is being removed
 */
export const insertNumber = async (
  tx: Tx,
  number: NewNumber & Pick<NumberRow, 'awaits_money'>,
  by: Actor,
  claimant: Claimant,
): Promise<InsertedNumber> => {
  await refuseClosed(tx, number.organizationId);
  await lockOwned(tx, number.organizationId);
  await useQuote(tx, number);
  const { id, organizationId, provider, phoneNumber, monthlyPriceMicros, currency } = number;
  const details = { provider, phoneNumber, monthlyPriceMicros, currency };
  try {
    const row = await insertRow(tx, number, by, claimant);
    await audit(tx, claimant.now, {
      action: 'purchase.requested',
      organizationId,
      numberId: id,
      by,
      details,
    });
    return { row, owned: await countOwned(tx, organizationId) };
  } catch (error) {
    if (isUniqueViolation(error, 'one_owner_of_a_number'))
      throw new AppError('NUMBER_UNAVAILABLE', { cause: error });
    throw error;
  }
};
