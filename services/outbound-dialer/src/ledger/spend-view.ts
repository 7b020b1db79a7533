// The spending that an organization sees. It comes from running totals, so that the work for an answer does not grow
// with earlier spending.
import type { Spend } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import { DateTime } from 'luxon';
import { operatorLimitsOf } from '../limits/operator-limits.js';
import { nothingSpent } from './envelope.js';
import { currentRates } from './rates.js';
import { monthOf } from './totals.js';

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

export interface SpendQuestion {
  readonly organizationId: string;
  readonly range: DayRange;
  /** The present day by the organization's calendar. */
  readonly today: string;
  /** The present day of the operator's limits. */
  readonly utcDay: string;
}

/** The figures that change while calls are made. */
type Figures = Pick<Spend, 'byDay' | 'byCampaign'> & {
  readonly totals: Partial<Pick<Spend, 'day' | 'month'>>;
  readonly operatorTotals: Partial<Pick<Spend, 'day' | 'month'>>;
};

/** Every day of the range is there, also those on which nothing was spent. */
const figures = `select
  (select coalesce(json_object_agg(t.period, json_build_object(
      'spentMicros', t.calls_spent + t.numbers_spent, 'reservedMicros', t.calls_reserved + t.numbers_reserved)), '{}')
    from spend_totals t
    where t.organization_id = $1 and (t.period, t.key) in (('day', $4), ('month', $5))) as totals,
  (select coalesce(json_object_agg(o.period, json_build_object('spentMicros', o.spent, 'reservedMicros', o.reserved)), '{}')
    from operator_spend o
    where o.organization_id = $1 and o.stripe = 0 and (o.period, o.key) in (('day', $6), ('month', $7))) as "operatorTotals",
  (select json_agg(json_build_object('date', to_char(d.day, 'YYYY-MM-DD'),
      'callsMicros', coalesce(t.calls_spent, 0), 'numbersMicros', coalesce(t.numbers_spent, 0)) order by d.day)
    from generate_series($2::timestamp, $3::timestamp, interval '1 day') as d (day)
    left join spend_totals t
      on t.organization_id = $1 and t.period = 'day' and t.key = to_char(d.day, 'YYYY-MM-DD')) as "byDay",
  (select coalesce(json_agg(json_build_object('campaignId', c.id, 'name', c.state -> 'created' ->> 'name',
      'spentMicros', c.calls_spent, 'reservedMicros', c.calls_reserved,
      'budgetMicros', c.state -> 'created' -> 'budget' -> 'maxCostMicros') order by c.last_day desc, c.id desc), '[]')
    from (
      select c.id, c.state, t.calls_spent, t.calls_reserved, t.last_day
      from spend_totals t join campaigns c on c.id = t.key::uuid and c.organization_id = t.organization_id
      where t.organization_id = $1 and t.period = 'campaign' and t.last_day >= $2::date and t.first_day <= $3::date
      order by t.last_day desc, c.id desc limit ${mostCampaigns}) as c) as "byCampaign"`;

/** One statement, so all figures are of one moment: money that moves meanwhile is either in each of them or in none. */
const figuresOf = async (
  tx: Tx,
  { organizationId, range, today, utcDay }: SpendQuestion,
): Promise<Figures> => {
  const { rows } = await tx.query<Figures>({
    name: 'spend-figures',
    text: figures,
    values: [organizationId, range.from, range.to, today, monthOf(today), utcDay, monthOf(utcDay)],
  });
  return rows[0] ?? { totals: {}, operatorTotals: {}, byDay: [], byCampaign: [] };
};

/** @param tx the three statements need not share a transaction */
export const readSpend = async (tx: Tx, question: SpendQuestion): Promise<Spend> => {
  const [limits, { currency }, { totals, operatorTotals, byDay, byCampaign }] = await Promise.all([
    operatorLimitsOf(tx, question.organizationId),
    currentRates(tx),
    figuresOf(tx, question),
  ]);
  return {
    currency,
    limits: {
      ...limits,
      countries: limits.countries === null ? null : [...limits.countries],
      day: operatorTotals.day ?? nothingSpent,
      month: operatorTotals.month ?? nothingSpent,
    },
    day: totals.day ?? nothingSpent,
    month: totals.month ?? nothingSpent,
    byDay,
    byCampaign,
  };
};
