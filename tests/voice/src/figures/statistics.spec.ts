import { describe, expect, it } from '@jest/globals';
import { histogram, percentile, summaryOf } from './statistics.js';

describe('percentile', () => {
  it('takes the nearest rank, without interpolation', () => {
    const values = Array.from({ length: 20 }, (_, index) => 20 - index);
    expect(percentile(values, 0.5)).toBe(10);
    expect(percentile(values, 0.95)).toBe(19);
    expect(percentile(values, 1)).toBe(20);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it('is undefined without values', () => {
    expect(percentile([], 0.5)).toBeUndefined();
    expect(summaryOf([])).toEqual({ n: 0, p50: null, p95: null, max: null });
  });
});

describe('histogram', () => {
  it('has a line for each step between the least and the greatest value, also for empty ones', () => {
    const lines = histogram([110, 120, 450], 100);
    expect(lines.map((line) => line.trim().replaceAll(/█+/g, '#'))).toEqual([
      '100 ms # 2',
      '200 ms',
      '300 ms',
      '400 ms # 1',
    ]);
  });
});
