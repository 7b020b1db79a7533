// The money of numbers: a month is reserved before a number is bought, and becomes spent when it was bought. Each
// further month of the owned number is spent again.
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import { DateTime } from 'luxon';
import { type LimitsInForce, limitsInForce } from '../limits/operator-limits.js';
import { dayOf, utcDayOf } from '../rules/calendar.js';
import { spendLimitReached } from './call-spending.js';
import { countRefusal } from './installation-refusals.js';
import { numberSubject, release, reserve, type Spending, settle } from './ledger.js';
import { type Shares, unlimitedInstallation } from './operator-spend.js';
import { currentRates } from './rates.js';
import { monthOf, totalsOf } from './totals.js';

export interface WantedNumber {
  readonly organizationId: string;
  readonly numberId: string;
  readonly monthlyPriceMicros: number;
  readonly currency: string;
  /** The count of the organization's numbers, this one included. */
  readonly numbersOwned: number;
}

interface NumberRow {
  readonly organizationId: string;
  readonly state: 'reserved' | 'owned' | 'gone';
  readonly monthlyMicros: number | null;
  readonly since: Date | null;
  readonly months: number;
  readonly version: number;
}

/** The moment so many months after the purchase; in a month that is too short, its last day. */
const monthsAfter = (since: Date, months: number): Date =>
  DateTime.fromJSDate(since, { zone: 'utc' }).plus({ months }).toJSDate();

/** Locks the number until this transaction ends. */
const lockNumber = async (tx: Tx, numberId: string): Promise<NumberRow | undefined> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('paid-number:' || $1, 0))`, [numberId]);
  const { rows } = await tx.query<NumberRow>({
    name: 'paid-number',
    text: `select organization_id as "organizationId", state, monthly_micros::float8 as "monthlyMicros", since, months, version
           from paid_numbers where number_id = $1`,
    values: [numberId],
  });
  return rows[0];
};

const spendingOf = (
  organizationId: string,
  { day, utcDay }: Pick<Spending, 'day' | 'utcDay'>,
  currency: string,
  { organization, installation }: MoneyLimits,
): Spending => {
  const { dayMicros, monthMicros } = organization;
  return {
    organizationId,
    campaignId: null,
    kind: 'number',
    isQuick: false,
    day,
    utcDay,
    currency,
    most: { dayMicros, monthMicros, campaignMicros: null, quickMicros: null, installation },
  };
};

interface MoneyLimits {
  readonly organization: Pick<LimitsInForce['organization'], 'dayMicros' | 'monthMicros'>;
  readonly installation: Spending['most']['installation'];
}

const unlimited: MoneyLimits = {
  organization: { dayMicros: null, monthMicros: null },
  installation: unlimitedInstallation,
};

/** The numbers that count against the limit of the installation. */
export const numbersBought = async (tx: Tx): Promise<number> => {
  const { rows } = await tx.query<{ bought: number }>(
    `select count(*)::int as bought from paid_numbers where state in ('reserved', 'owned')`,
  );
  return rows[0]?.bought ?? 0;
};

/** Purchases are few, so those of all organizations wait for each other while they are counted. */
const lockBought = async (tx: Tx): Promise<number> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('numbers-of-installation', 0))`);
  return numbersBought(tx);
};

const refused = async (
  tx: Tx,
  { organizationId }: WantedNumber,
  day: string,
  details: Readonly<Record<string, unknown>>,
): Promise<AppError> => {
  const [total] = await totalsOf(tx, organizationId, [{ period: 'month', key: monthOf(day) }]);
  return new AppError('SPEND_LIMIT_REACHED', { details: { ...details, ...total } });
};

/**
 * Reserves a month of a number that is to be bought. A second request for the same number changes nothing.
 * @throws AppError SPEND_LIMIT_REACHED; CONFLICT for a number that is known to be gone
 */
export const reserveNumber = async (
  tx: Tx,
  wanted: WantedNumber,
  { dayZone, now }: { readonly dayZone: string; readonly now: Date },
  shares: Shares,
): Promise<void> => {
  const { organizationId, numberId, monthlyPriceMicros, numbersOwned } = wanted;
  const known = await lockNumber(tx, numberId);
  if (known?.state === 'gone' || (known !== undefined && known.organizationId !== organizationId))
    throw new AppError('CONFLICT');
  if (known !== undefined) return;
  const limits = await limitsInForce(tx, organizationId);
  const { currency } = await currentRates(tx);
  const day = dayOf(dayZone, now);
  const { numbers: most } = limits.organization;
  if (most !== null && numbersOwned > most)
    throw await refused(tx, wanted, day, { limit: 'numbers', allowed: most, scope: 'organization' });
  const { numbers: mostOfAll } = limits.installation;
  if (mostOfAll !== null && (await lockBought(tx)) >= mostOfAll) {
    countRefusal('numbers');
    throw await refused(tx, wanted, day, { limit: 'numbers', scope: 'installation' });
  }
  // A price in another currency cannot be counted against the envelope.
  if (currency !== wanted.currency)
    throw await refused(tx, wanted, day, { limit: 'month', currency, priceCurrency: wanted.currency });
  const spending = spendingOf(organizationId, { day, utcDay: utcDayOf(now) }, currency, limits);
  const asked = { subject: numberSubject(numberId), micros: monthlyPriceMicros };
  const grant = await reserve(tx, spending, asked, now, shares);
  if (!grant.granted) throw spendLimitReached(grant);
  await tx.query(
    `insert into paid_numbers (number_id, organization_id, state, monthly_micros, since)
     values ($1, $2, 'reserved', $3, $4)`,
    [numberId, organizationId, monthlyPriceMicros, now.toISOString()],
  );
};

export interface HeardNumber {
  readonly organizationId: string;
  readonly numberId: string;
  readonly status: 'provisioning' | 'active' | 'releasing' | 'released' | 'failed';
  /** The version of the announcement: of two, the higher one holds. */
  readonly version: number;
}

/** The number is, or was, at the provider, so its first month is paid for. */
const payFirstMonth = async (
  tx: Tx,
  { organizationId, numberId }: HeardNumber,
  { monthlyMicros, since }: NumberRow,
  now: Date,
): Promise<void> => {
  const subject = numberSubject(numberId);
  await settle(tx, organizationId, { subject, micros: monthlyMicros ?? 0 }, now);
  await tx.query(
    `update paid_numbers set state = 'owned', months = 1, next_charge_at = $2 where number_id = $1`,
    [numberId, monthsAfter(since ?? now, 1).toISOString()],
  );
};

/** Records an announcement of telephony-numbers: bought, given back, or never bought. Announcements may come twice. */
export const hearOfNumber = async (tx: Tx, heard: HeardNumber, now: Date): Promise<void> => {
  const { organizationId, numberId, status, version } = heard;
  const known = await lockNumber(tx, numberId);
  const isGone = status === 'released' || status === 'failed';
  if (known === undefined) {
    // The row refuses every later reservation of a number that is gone. Any other unknown number has nothing to pay.
    if (isGone)
      await tx.query(
        `insert into paid_numbers (number_id, organization_id, state, version) values ($1, $2, 'gone', $3)`,
        [numberId, organizationId, version],
      );
    return;
  }
  if (known.organizationId !== organizationId || version <= known.version || status === 'provisioning')
    return;
  if (known.state === 'reserved') {
    if (status === 'failed') await release(tx, organizationId, [numberSubject(numberId)]);
    else await payFirstMonth(tx, heard, known, now);
  }
  await tx.query(
    `update paid_numbers set version = $2, state = case when $3 then 'gone' else state end,
       next_charge_at = case when $3 then null else next_charge_at end
     where number_id = $1`,
    [numberId, version, isGone],
  );
};

export interface DueNumber {
  readonly numberId: string;
  readonly organizationId: string;
}

/** Owned numbers of which another month has begun. */
export const dueNumbers = async (db: Tx, now: Date, limit: number): Promise<DueNumber[]> => {
  const { rows } = await db.query<DueNumber>(
    `select number_id as "numberId", organization_id as "organizationId" from paid_numbers
     where state = 'owned' and next_charge_at <= $1 order by next_charge_at, number_id limit $2`,
    [now.toISOString(), limit],
  );
  return rows;
};

/**
 * Spends the month that has begun, once, on the day on which it began. No limit refuses it: the number is there, and
 * costs.
 * @returns false when the month was paid for already, or the number is gone
 */
export const chargeMonth = async (
  tx: Tx,
  { numberId, organizationId }: DueNumber,
  { dayZone, now }: { readonly dayZone: string; readonly now: Date },
): Promise<boolean> => {
  const known = await lockNumber(tx, numberId);
  if (known?.state !== 'owned' || known.since === null || known.monthlyMicros === null) return false;
  const { since, months, monthlyMicros: micros } = known;
  const dueAt = monthsAfter(since, months);
  if (dueAt > now) return false;
  const { currency } = await currentRates(tx);
  const subject = `${numberSubject(numberId)}:${months + 1}`;
  const days = { day: dayOf(dayZone, dueAt), utcDay: utcDayOf(dueAt) };
  const spending = spendingOf(organizationId, days, currency, unlimited);
  await reserve(tx, spending, { subject, micros }, now, 'moving');
  await settle(tx, organizationId, { subject, micros }, now);
  await tx.query(`update paid_numbers set months = months + 1, next_charge_at = $2 where number_id = $1`, [
    numberId,
    monthsAfter(since, months + 1).toISOString(),
  ]);
  return true;
};
