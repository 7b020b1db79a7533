import { describe, expect, it } from '@jest/globals';
import { type CostItem, costPartsOf } from './cost-parts.js';

const item = (kind: CostItem['kind'], micros: number, more: Partial<CostItem> = {}): CostItem => ({
  kind,
  micros,
  quantity: 1,
  unit: 'second',
  ...more,
});

const costOf = (items: CostItem[]) => {
  return { items, currency: 'USD', totalMicros: items.reduce((sum, { micros }) => sum + micros, 0) };
};

describe('the parts of the cost of a call', () => {
  it('add up to the cost to the micro, with every line in one of them', () => {
    const cost = costOf([
      item('tts', 333),
      item('llm', 7, { direction: 'output' }),
      item('llm', 1, { direction: 'input', model: 'openai/a' }),
      item('llm', 2, { direction: 'input', model: 'openai/b' }),
      item('llm', 5),
      item('stt', 11),
      item('platform', 13),
      item('recording', 17),
      item('telephony', 19),
    ]);
    const parts = costPartsOf(cost, 'phone');
    expect(parts.reduce((sum, { micros }) => sum + micros, 0)).toBe(cost.totalMicros);
    expect(parts.flatMap(({ items }) => items)).toHaveLength(cost.items.length);
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
    expect(parts.map(({ key }) => key)).toEqual([
      ...['telephony', 'stt', 'llm input', 'llm output', 'llm', 'tts', 'recording', 'platform'],
    ]);
  });

  it('name a telephone that nobody reported, of telephone calls alone', () => {
    const cost = costOf([item('stt', 0)]);
    expect(costPartsOf(cost, 'phone').map(({ key, items }) => [key, items.length])).toEqual([
      ['telephony', 0],
      ['stt', 1],
    ]);
    expect(costPartsOf(cost, 'preview').map(({ key, share }) => [key, share])).toEqual([['stt', 0]]);
  });
});
