import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costOf, rateTable, type Usage, unpriceable } from './pricing.js';

const usage = (kind: Usage['kind'], quantity: number): Usage => ({
  kind,
  quantity,
  unit: rateTable.rates[kind].unit,
  provider: 'p',
});

describe('the cost of a call', () => {
  it('is null when no usage was reported, and nothing for a usage of nothing', () => {
    expect(costOf([])).toBeNull();
    expect(costOf([usage('stt', 0)])).toMatchObject({ totalMicros: 0 });
  });

  it('prices each line and adds them up', () => {
    expect(costOf([usage('telephony', 90), usage('llm', 2_500), usage('tts', 100)])).toEqual({
      totalMicros: 12_750 + 1_000 + 1_500,
      currency: 'USD',
      items: [
        { kind: 'telephony', micros: 12_750, quantity: 90, unit: 'second' },
        { kind: 'llm', micros: 1_000, quantity: 2_500, unit: 'token' },
        { kind: 'tts', micros: 1_500, quantity: 100, unit: 'character' },
      ],
    });
  });

  it('is a whole number of millionths, and the total is the sum of the items', () => {
    const line = fc.record({
      kind: fc.constantFrom<Usage['kind']>('telephony', 'stt', 'llm', 'tts', 'recording'),
      quantity: fc.double({ min: 0, max: 1e9, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        const cost = costOf(lines.map(({ kind, quantity }) => usage(kind, quantity)));
        expect(cost?.items.every(({ micros }) => Number.isSafeInteger(micros) && micros >= 0)).toBe(true);
        expect(cost?.totalMicros).toBe(cost?.items.reduce((sum, { micros }) => sum + micros, 0));
      }),
    );
  });

  it('cannot be told for a unit that a kind is not counted in', () => {
    expect(unpriceable([usage('stt', 1), { ...usage('llm', 1), unit: 'second' }])).toEqual([1]);
  });
});
