import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRange, type Range, type RangeQuery } from './ranges.js';

const now = new Date('2026-03-15T10:20:30.000Z');
const hour = 3_600_000;
const utc = (query: RangeQuery): Range => parseRange(query, now, 'UTC');
const iso = (ms: number): string => new Date(ms).toISOString();
const edges = ({ from, to }: Range) => [iso(from), iso(to)];
const lengths = ({ buckets, to }: Range): number[] =>
  buckets.map((at, index) => ((buckets[index + 1] ?? to) - at) / hour);

describe('a dashboard range', () => {
  it('of 24h is the current hour and the 23 before, by hour', () => {
    const range = utc({ range: '24h' });
    expect(edges(range)).toEqual(['2026-03-14T11:00:00.000Z', '2026-03-15T11:00:00.000Z']);
    expect(range.buckets).toHaveLength(24);
    expect(iso(range.previousFrom)).toBe('2026-03-13T11:00:00.000Z');
  });

  it('of days is today and the days before, by day; seven unless said', () => {
    expect(edges(utc({}))).toEqual(['2026-03-09T00:00:00.000Z', '2026-03-16T00:00:00.000Z']);
    expect(utc({})).toMatchObject({ name: '7d', bucket: 'day' });
    expect(utc({ range: '30d' }).buckets).toHaveLength(30);
  });

  it('of custom days includes both, by hour up to two days, else by day', () => {
    const range = utc({ range: 'custom', from: '2026-02-28', to: '2026-03-01' });
    expect(edges(range)).toEqual(['2026-02-28T00:00:00.000Z', '2026-03-02T00:00:00.000Z']);
    expect(range).toMatchObject({ bucket: 'hour' });
    expect(range.buckets).toHaveLength(48);
    expect(utc({ range: 'custom', from: '2026-02-27', to: '2026-03-01' })).toMatchObject({ bucket: 'day' });
    expect(utc({ range: 'custom', from: '2026-01-01', to: '2026-03-31' }).buckets).toHaveLength(90);
  });

  it('is cut once for everybody in a zone who looks at the same days', () => {
    expect(utc({})).toBe(utc({}));
    const custom = { range: 'custom', from: '2026-03-09', to: '2026-03-15' } as const;
    expect(utc(custom)).toMatchObject({ name: 'custom', buckets: utc({}).buckets });
    expect(parseRange({}, now, 'Europe/Berlin')).not.toEqual(utc({}));
    expect(parseRange({}, new Date(now.getTime() + 24 * hour), 'UTC')).not.toEqual(utc({}));
  });

  it.each([
    [{ range: 'custom' }],
    [{ range: 'custom', from: '2026-03-01' }],
    [{ range: 'custom', from: '2026-03-02', to: '2026-03-01' }],
    [{ range: 'custom', from: '2026-01-01', to: '2026-04-01' }],
    [{ range: 'custom', from: '2026-02-30', to: '2026-03-01' }],
    [{ range: 'custom', from: '2026-3-1', to: '2026-03-02' }],
    [{ range: 'custom', from: 'yesterday', to: '2026-03-02' }],
    [{ range: 'custom', from: '0001-01-01', to: '0001-01-02' }],
    [{ range: 'custom', from: '9999-12-31', to: '9999-12-31' }],
    [{ range: '7d', from: '2026-03-01', to: '2026-03-02' }],
    [{ from: '2026-03-01' }],
  ] as const)('%j is refused', (query) => {
    expect(() => utc(query)).toThrow(expect.objectContaining({ code: 'INVALID_RANGE' }));
  });
});

describe("an organization's time zone", () => {
  const custom = (timezone: string, from: string, to = from): Range =>
    parseRange({ range: 'custom', from, to }, now, timezone);

  it('decides where days begin, at half and quarter hours too', () => {
    expect(edges(custom('Asia/Kathmandu', '2026-03-01'))).toEqual([
      '2026-02-28T18:15:00.000Z',
      '2026-03-01T18:15:00.000Z',
    ]);
    expect(edges(parseRange({}, now, 'Pacific/Auckland'))).toEqual([
      '2026-03-08T11:00:00.000Z',
      '2026-03-15T11:00:00.000Z',
    ]);
  });

  it('decides where hours begin', () => {
    expect(edges(parseRange({ range: '24h' }, now, 'Asia/Kolkata'))).toEqual([
      '2026-03-14T10:30:00.000Z',
      '2026-03-15T10:30:00.000Z',
    ]);
  });

  it('has days of 23 and 25 hours, which are one bucket each by day and so many by hour', () => {
    expect(lengths(custom('Europe/Berlin', '2026-03-27', '2026-03-30'))).toEqual([24, 24, 23, 24]);
    expect(lengths(custom('Europe/Berlin', '2026-10-24', '2026-10-26'))).toEqual([24, 25, 24]);
    expect(custom('Europe/Berlin', '2026-03-29').buckets).toHaveLength(23);
    expect(custom('Europe/Berlin', '2026-10-24', '2026-10-25').buckets).toHaveLength(49);
  });

  it('compares with as many days before, however long they are', () => {
    const range = custom('Europe/Berlin', '2026-03-29', '2026-04-04');
    expect(iso(range.previousFrom)).toBe('2026-03-21T23:00:00.000Z');
    expect(range.to - range.from).toBe(range.from - range.previousFrom - hour);
  });

  it('begins a day at its first moment, be midnight skipped or there twice', () => {
    expect(edges(custom('Africa/Cairo', '2026-04-24'))).toEqual([
      '2026-04-23T22:00:00.000Z',
      '2026-04-24T21:00:00.000Z',
    ]);
    expect(edges(custom('America/Havana', '2026-11-01'))).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ]);
  });

  it('by half an hour makes a day with a short last hour, and the next one begins at midnight', () => {
    const range = custom('Australia/Lord_Howe', '2026-04-05', '2026-04-06');
    expect(lengths(range).filter((length) => length !== 1)).toEqual([0.5]);
    expect(range.buckets).toContain(Date.parse('2026-04-05T13:30:00.000Z'));
  });

  it('never leaves a gap: buckets follow each other from the first moment to the last', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2000-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
        fc.constantFrom('24h', '7d', '30d'),
        (timezone, at, name) => {
          const range = parseRange({ range: name }, at, timezone);
          const all = [range.previousFrom, ...range.buckets, range.to];
          expect(range.buckets[0]).toBe(range.from);
          expect(all).toEqual([...all].sort((a, b) => a - b));
          expect(range.from <= at.getTime() && at.getTime() < range.to).toBe(true);
          expect(all.every((moment) => moment % 900_000 === 0)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
