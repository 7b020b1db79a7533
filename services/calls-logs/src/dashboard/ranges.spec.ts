import { describe, expect, it } from '@jest/globals';
import { parseRange } from './ranges.js';

const now = new Date('2026-03-15T10:20:30.000Z');
const edges = (range: ReturnType<typeof parseRange>) => [range.from.toISOString(), range.to.toISOString()];

describe('a dashboard range', () => {
  it('of 24h is the current hour and the 23 before, by hour', () => {
    const range = parseRange({ range: '24h' }, now);
    expect(edges(range)).toEqual(['2026-03-14T11:00:00.000Z', '2026-03-15T11:00:00.000Z']);
    expect(range.buckets).toHaveLength(24);
    expect(range.previousFrom.toISOString()).toBe('2026-03-13T11:00:00.000Z');
  });

  it('of days is today and the days before, by day; seven unless said', () => {
    expect(edges(parseRange({}, now))).toEqual(['2026-03-09T00:00:00.000Z', '2026-03-16T00:00:00.000Z']);
    expect(parseRange({}, now)).toMatchObject({ name: '7d', bucket: 'day' });
    expect(parseRange({ range: '30d' }, now).buckets).toHaveLength(30);
  });

  it('of custom days includes both, by hour up to two days, else by day', () => {
    const range = parseRange({ range: 'custom', from: '2026-02-28', to: '2026-03-01' }, now);
    expect(edges(range)).toEqual(['2026-02-28T00:00:00.000Z', '2026-03-02T00:00:00.000Z']);
    expect(range).toMatchObject({ bucket: 'hour' });
    expect(range.buckets).toHaveLength(48);
    expect(parseRange({ range: 'custom', from: '2026-02-27', to: '2026-03-01' }, now)).toMatchObject({
      bucket: 'day',
    });
    expect(parseRange({ range: 'custom', from: '2026-01-01', to: '2026-03-31' }, now).buckets).toHaveLength(
      90,
    );
  });

  it.each([
    [{ range: 'custom' }],
    [{ range: 'custom', from: '2026-03-01' }],
    [{ range: 'custom', from: '2026-03-02', to: '2026-03-01' }],
    [{ range: 'custom', from: '2026-01-01', to: '2026-04-01' }],
    [{ range: 'custom', from: '2026-02-30', to: '2026-03-01' }],
    [{ range: 'custom', from: '2026-3-1', to: '2026-03-02' }],
    [{ range: 'custom', from: 'yesterday', to: '2026-03-02' }],
    [{ range: '7d', from: '2026-03-01', to: '2026-03-02' }],
    [{ from: '2026-03-01' }],
  ] as const)('%j is refused', (query) => {
    expect(() => parseRange(query, now)).toThrow(expect.objectContaining({ code: 'INVALID_RANGE' }));
  });
});
