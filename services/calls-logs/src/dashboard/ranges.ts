// The time ranges of the dashboard, cut into buckets. Times are UTC until organizations can choose their own zone.
import { AppError } from '@parlance/errors';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxDays = 90;
const maxDaysByHour = 2;

export interface Range {
  readonly name: '24h' | '7d' | '30d' | 'custom';
  readonly from: Date;
  /** First moment after the range. */
  readonly to: Date;
  readonly timezone: string;
  readonly bucket: 'hour' | 'day';
  readonly bucketMs: number;
  /** Start of every bucket. */
  readonly buckets: readonly Date[];
  /** First moment of the equal span before. */
  readonly previousFrom: Date;
}

export interface RangeQuery {
  readonly range?: Range['name'] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const floor = (ms: number, unit: number): number => Math.floor(ms / unit) * unit;

const rangeOf = (name: Range['name'], fromMs: number, toMs: number, bucket: Range['bucket']): Range => {
  const bucketMs = bucket === 'hour' ? hourMs : dayMs;
  return {
    name,
    from: new Date(fromMs),
    to: new Date(toMs),
    timezone: 'UTC',
    bucket,
    bucketMs,
    buckets: Array.from(
      { length: (toMs - fromMs) / bucketMs },
      (_, index) => new Date(fromMs + index * bucketMs),
    ),
    previousFrom: new Date(fromMs - (toMs - fromMs)),
  };
};

/** A calendar day, or undefined for anything else: `2026-02-30` too. */
const dayOf = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : ms;
};

const customRange = (query: RangeQuery): Range => {
  const [from, to] = [dayOf(query.from), dayOf(query.to)];
  if (from === undefined || to === undefined || to < from) throw new AppError('INVALID_RANGE');
  const days = (to - from) / dayMs + 1;
  if (days > maxDays) throw new AppError('INVALID_RANGE', { details: { maxDays } });
  return rangeOf('custom', from, to + dayMs, days <= maxDaysByHour ? 'hour' : 'day');
};

const daysUntilToday = (name: Range['name'], days: number, now: number): Range => {
  const end = floor(now, dayMs) + dayMs;
  return rangeOf(name, end - days * dayMs, end, 'day');
};

/**
 * The last seven days unless asked for another range; `from` and `to` are whole days and go with `custom` only.
 * @throws AppError INVALID_RANGE
 */
export const parseRange = (query: RangeQuery, now: Date): Range => {
  const { range = '7d', from, to } = query;
  if (range === 'custom') return customRange(query);
  if (from !== undefined || to !== undefined) throw new AppError('INVALID_RANGE');
  if (range === '24h') {
    const end = floor(now.getTime(), hourMs) + hourMs;
    return rangeOf('24h', end - dayMs, end, 'hour');
  }
  return daysUntilToday(range, range === '7d' ? 7 : 30, now.getTime());
};
