// The spending that an organization sees. It comes from running totals, so that the work for an answer does not grow
// with earlier spending.
import type { Spend } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Database, Tx } from '@parlance/persistence';
import { DateTime } from 'luxon';
import { operatorLimitsOf } from '../limits/operator-limits.js';
import { currentRates } from './rates.js';
import { monthOf, totalsOf } from './totals.js';

/** The most days in a range. A range without a first day has `usualDays`. */
const mostDays = 90;
const usualDays = 30;
const mostCampaigns = 500;
const dateForm = 'yyyy-MM-dd';

export interface DayRange {
  /** First and last day, such as 2026-11-22. */
  readonly from: string;
  readonly to: string;
}

/** A day of the calendar; undefined for anything else, a moment of a day included. */
const calendarDay = (text: string): DateTime | undefined => {
  const day = DateTime.fromFormat(text, dateForm, { zone: 'utc' });
  return day.isValid && day.toFormat(dateForm) === text ? day : undefined;
};

/** @throws AppError INVALID_RANGE for a text that is no day, a reversed range and a range that is too long */
export const dayRange = (
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): DayRange => {
  const last = calendarDay(to ?? today);
  const first = from === undefined ? last?.minus({ days: usualDays - 1 }) : calendarDay(from);
  if (first === undefined || last === undefined || first > last) throw new AppError('INVALID_RANGE');
  if (last.diff(first, 'days').days >= mostDays)
    throw new AppError('INVALID_RANGE', { details: { maxDays: mostDays } });
  return { from: first.toFormat(dateForm), to: last.toFormat(dateForm) };
};

/** Every day of the range, also those on which nothing was spent. */
const byDay = async (tx: Tx, organizationId: string, { from, to }: DayRange): Promise<Spend['byDay']> => {
  const { rows } = await tx.query<Spend['byDay'][number]>({
    name: 'spend-by-day',
    text: `select to_char(d.day, 'YYYY-MM-DD') as date, coalesce(t.calls_spent, 0)::float8 as "callsMicros",
             coalesce(t.numbers_spent, 0)::float8 as "numbersMicros"
           from generate_series($2::timestamp, $3::timestamp, interval '1 day') as d (day)
           left join spend_totals t
             on t.organization_id = $1 and t.period = 'day' and t.key = to_char(d.day, 'YYYY-MM-DD')
           order by d.day`,
    values: [organizationId, from, to],
  });
  return rows;
};

const byCampaign = async (
  tx: Tx,
  organizationId: string,
  { from, to }: DayRange,
): Promise<Spend['byCampaign']> => {
  const { rows } = await tx.query<Spend['byCampaign'][number]>({
    name: 'spend-by-campaign',
    text: `select c.id as "campaignId", c.state -> 'created' ->> 'name' as name,
             t.calls_spent::float8 as "spentMicros", t.calls_reserved::float8 as "reservedMicros",
             (c.state -> 'created' -> 'budget' ->> 'maxCostMicros')::float8 as "budgetMicros"
           from spend_totals t join campaigns c on c.id = t.key::uuid and c.organization_id = t.organization_id
           where t.organization_id = $1 and t.period = 'campaign' and t.last_day >= $2::date and t.first_day <= $3::date
           order by t.last_day desc, c.id desc limit ${mostCampaigns}`,
    values: [organizationId, from, to],
  });
  return rows;
};

export interface SpendQuestion {
  readonly organizationId: string;
  readonly range: DayRange;
  /** The present day by the organization's calendar. */
  readonly today: string;
}

const spendOf = async (tx: Tx, { organizationId, range, today }: SpendQuestion): Promise<Spend> => {
  const { countries, ...limits } = await operatorLimitsOf(tx, organizationId);
  const { currency } = await currentRates(tx);
  const [day, month] = await totalsOf(tx, organizationId, [
    { period: 'day', key: today },
    { period: 'month', key: monthOf(today) },
  ]);
  if (day === undefined || month === undefined) throw new Error('totals were asked for and not told');
  return {
    currency,
    limits: { ...limits, countries: countries === null ? null : [...countries] },
    day,
    month,
    byDay: await byDay(tx, organizationId, range),
    byCampaign: await byCampaign(tx, organizationId, range),
  };
};

/** All figures are of one moment: money that moves meanwhile is either in each of them or in none. */
export const readSpend = (db: Pick<Database, 'transaction'>, question: SpendQuestion): Promise<Spend> =>
  db.transaction((tx) => spendOf(tx, question), { snapshot: true });
