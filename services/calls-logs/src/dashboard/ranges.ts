// The time ranges of the dashboard, cut into buckets as the organization's clocks do.
import { AppError } from '@parlance/errors';
import { LRUCache } from 'lru-cache';
import { type Day, dayOf, daysBetween, startOf, startOfHour, today } from './zones.js';

const hourMs = 3_600_000;
const maxDays = 90;
const maxDaysByHour = 2;

/** Moments are milliseconds since 1970. */
export interface Range {
  readonly name: '24h' | '7d' | '30d' | 'custom';
  readonly from: number;
  /** First moment after the range. */
  readonly to: number;
  readonly timezone: string;
  readonly bucket: 'hour' | 'day';
  /** Start of every bucket; each ends where the next one starts. */
  readonly buckets: readonly number[];
  /** First moment of the equal span before: as many hours, or as many days. */
  readonly previousFrom: number;
}

export interface RangeQuery {
  readonly range?: Range['name'] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const hoursIn = (from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / hourMs) }, (_, index) => from + index * hourMs);

interface Days {
  readonly name: Range['name'];
  readonly timezone: string;
  readonly first: Day;
  readonly count: number;
  readonly bucket: Range['bucket'];
}

const cutDays = ({ name, timezone, first, count, bucket }: Days): Range => {
  const start = (index: number): number => startOf(first.add({ days: index }), timezone);
  const days = Array.from({ length: count }, (_, index) => start(index));
  const to = start(count);
  return {
    name,
    from: start(0),
    to,
    timezone,
    bucket,
    // Hours are counted from midnight on, so that a day has 23 or 25 where clocks change.
    buckets: bucket === 'day' ? days : days.flatMap((day, index) => hoursIn(day, days[index + 1] ?? to)),
    previousFrom: start(-count),
  };
};

// Computing the borders of ninety days takes milliseconds, and a dashboard asks for the same days again and again.
const known = new LRUCache<string, Range>({ max: 200 });

/** Whole days, the first and the last included. The same object for the same days. */
const daysRange = (days: Days): Range => {
  const { name, timezone, first, count, bucket } = days;
  const key = `${name} ${timezone} ${first} ${count} ${bucket}`;
  const range = known.get(key) ?? cutDays(days);
  known.set(key, range);
  return range;
};

const customRange = (query: RangeQuery, timezone: string): Range => {
  const [from, to] = [dayOf(query.from), dayOf(query.to)];
  if (from === undefined || to === undefined) throw new AppError('INVALID_RANGE');
  const count = daysBetween(from, to) + 1;
  if (count < 1) throw new AppError('INVALID_RANGE');
  if (count > maxDays) throw new AppError('INVALID_RANGE', { details: { maxDays } });
  const bucket = count <= maxDaysByHour ? 'hour' : 'day';
  return daysRange({ name: 'custom', timezone, first: from, count, bucket });
};

const lastDays = (name: Range['name'], count: number, now: number, timezone: string): Range => {
  const first = today(now, timezone).subtract({ days: count - 1 });
  return daysRange({ name, timezone, first, count, bucket: 'day' });
};

const lastHours = (now: number, timezone: string): Range => {
  const to = startOfHour(now, timezone) + hourMs;
  const from = to - 24 * hourMs;
  return {
    ...{ name: '24h', bucket: 'hour', from, to, timezone },
    buckets: hoursIn(from, to),
    previousFrom: from - 24 * hourMs,
  };
};

/**
 * The last seven days unless asked for another range; `from` and `to` are whole days of the time zone and go with
 * `custom` only.
 * @throws AppError INVALID_RANGE
 */
export const parseRange = (query: RangeQuery, now: Date, timezone: string): Range => {
  const { range = '7d', from, to } = query;
  if (range === 'custom') return customRange(query, timezone);
  if (from !== undefined || to !== undefined) throw new AppError('INVALID_RANGE');
  if (range === '24h') return lastHours(now.getTime(), timezone);
  return lastDays(range, range === '7d' ? 7 : 30, now.getTime(), timezone);
};
