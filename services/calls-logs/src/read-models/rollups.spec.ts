import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { courseOfHours, courseOfMinutes, peakWithin } from './rollups-concurrency.js';
import { bucketOf, grains, msOf, spansOf } from './rollups-grains.js';
import { latencyBucketOf, percentileIn } from './rollups-latency.js';

const quarter = 900_000;
const hour = 4 * quarter;
const quarters = fc.nat(100 * 96).map((count) => count * quarter);

describe('spans', () => {
  it('cover exactly what they were asked to, each moment once, in order', () =>
    fc.assert(
      fc.property(quarters, quarters, (from, length) => {
        const spans = spansOf(from, from + length);
        expect(spans[0]?.from ?? from).toBe(from);
        expect(spans.at(-1)?.to ?? from + length).toBe(from + length);
        spans.forEach((span, index) => {
          expect(span.from).toBe(spans[index - 1]?.to ?? from);
          expect(span.to).toBeGreaterThan(span.from);
          expect([span.from % msOf(span.grain), span.to % msOf(span.grain)]).toEqual([0, 0]);
        });
      }),
    ));

  it('read at most three quarters, 23 hours and six days at each end, however long the time is', () =>
    fc.assert(
      fc.property(quarters, quarters, (from, length) => {
        const buckets = new Map(grains.map((grain) => [grain, 0]));
        for (const { grain, from: start, to } of spansOf(from, from + length))
          buckets.set(grain, (buckets.get(grain) ?? 0) + (to - start) / msOf(grain));
        expect(buckets.get(15)).toBeLessThanOrEqual(6);
        expect(buckets.get(60)).toBeLessThanOrEqual(46);
        expect(buckets.get(1_440)).toBeLessThanOrEqual(12);
      }),
    ));

  it('put a quarter of an hour that a border cuts through where it begins', () => {
    expect(spansOf(7, quarter + 7)).toEqual([{ grain: 15, from: quarter, to: 2 * quarter }]);
    expect(spansOf(0, 7)).toEqual([{ grain: 15, from: 0, to: quarter }]);
    expect(bucketOf(60, hour + 7)).toBe(hour);
  });
});

describe('a latency histogram', () => {
  it('tells percentiles within 5 % and half a millisecond of the exact ones', () =>
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.95),
        (values, share) => {
          const counts = new Map<number, number>();
          for (const bucket of values.map(latencyBucketOf)) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
          const exact = [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
          expect(Math.abs((percentileIn(counts, share) ?? 0) - exact)).toBeLessThanOrEqual(
            exact * 0.05 + 0.5,
          );
        },
      ),
    ));

  it('takes what no latency should be, and tells nothing of no calls', () => {
    expect([0, -1, 0.2].map(latencyBucketOf)).toEqual([0, 0, 0]);
    expect(latencyBucketOf(1e12)).toBe(latencyBucketOf(600_000));
    expect(percentileIn(new Map(), 0.5)).toBeNull();
    expect(percentileIn(new Map([[3, 0]]), 0.5)).toBeNull();
  });
});

describe('concurrency', () => {
  const changes = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 8 });

  it('over hours and days is what walking through all minutes gives', () =>
    fc.assert(
      fc.property(fc.array(fc.option(changes, { nil: null }), { minLength: 24, maxLength: 24 }), (hours) => {
        const minutes = hours.map((own) =>
          [...(own ?? []), ...new Array<number>(60)].slice(0, 60).map((n) => n ?? 0),
        );
        const courses = minutes.map((own, index) => ({ at: index * hour, ...courseOfMinutes(own) }));
        const kept = courses.filter((_, index) => hours[index] !== null);
        const level = minutes.flat().map(
          (
            (sum) => (change: number) =>
              (sum += change)
          )(0),
        );
        expect(courseOfHours(0, kept)).toEqual({ net: level.at(-1), peak: Math.max(...level) });
      }),
    ));

  it('of a range that begins and ends within hours looks at its own minutes only', () => {
    const minutes = (...told: [minute: number, change: number][]): number[] => {
      const all = new Array<number>(60).fill(0);
      for (const [minute, change] of told) all[minute] = change;
      return all;
    };
    const course = (at: number, own: number[]) => ({ at, ...courseOfMinutes(own), minutes: own });
    const early = course(0, minutes([5, 9], [10, -8]));
    const late = course(hour, minutes([10, 1], [40, 20]));
    expect(peakWithin(quarter, hour + 2 * quarter, 2, [early, late])).toBe(4);
    expect(peakWithin(quarter, hour + 3 * quarter, 2, [early, late])).toBe(24);
    expect(peakWithin(quarter, hour, 2, [])).toBe(2);
    expect(peakWithin(hour, 3 * hour, 7, [{ ...course(2 * hour, minutes([0, -7])), minutes: null }])).toBe(7);
  });
});
