// The palette finds records by any part of their words, and stays short.
import { describe, expect, it } from '@jest/globals';
import { matching } from './palette-matching.js';

const record = (label: string, remark?: string) => ({ id: label, label, remark, to: `/x/${label}` });

describe('records in the palette', () => {
  it('are found by a part of their name or of what stands beside it, in any case', () => {
    const all = [record('Front desk'), record('Night desk', 'Berlin'), record('Sales')];
    expect(matching(all, 'DESK').map(({ label }) => label)).toEqual(['Front desk', 'Night desk']);
    expect(matching(all, 'berl').map(({ label }) => label)).toEqual(['Night desk']);
  });

  it('are few, however many there are', () =>
    expect(
      matching(
        Array.from({ length: 1_000 }, (_, at) => record(`desk ${at}`)),
        'desk',
      ).length,
    ).toBeLessThan(10));
});
