import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costOf, type PricesOfModel, rateTable, type Usage, unpriceable } from './pricing.js';

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
        { kind: 'telephony', micros: 12_750, quantity: 90, unit: 'second', rate: { micros: 8_500, per: 60 } },
        { kind: 'llm', micros: 1_000, quantity: 2_500, unit: 'token', rate: { micros: 400, per: 1_000 } },
        {
          kind: 'tts',
          micros: 1_500,
          quantity: 100,
          unit: 'character',
          rate: { micros: 15_000, per: 1_000 },
        },
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

  const models: Readonly<Record<string, PricesOfModel>> = {
    'openai/x': { perMillionInputTokens: 2_000_000, perMillionOutputTokens: 8_000_000 },
    'deepgram/x': { perMinute: 4_300 },
    'elevenlabs/x': { perMillionCharacters: 150_000_000 },
  };
  const pricesOf = (model: string) => models[model];

  it('has the price of the model, and tells tokens of prompts and answers apart', () => {
    const tokens = { ...usage('llm', 1_000), model: 'openai/x' };
    const cost = costOf(
      [
        { ...tokens, direction: 'input' },
        { ...tokens, direction: 'output' },
        { ...usage('stt', 90), model: 'deepgram/x' },
        { ...usage('tts', 100), model: 'elevenlabs/x' },
        { ...usage('llm', 1_000), model: 'unknown/x' },
      ],
      pricesOf,
    );
    expect(cost?.items.map(({ micros, model, direction }) => [micros, model, direction])).toEqual([
      [2_000, 'openai/x', 'input'],
      [8_000, 'openai/x', 'output'],
      [6_450, 'deepgram/x', undefined],
      [15_000, 'elevenlabs/x', undefined],
      [400, undefined, undefined],
    ]);
    expect(cost?.totalMicros).toBe(31_850);
  });

  it('names the price of each line, and the model that has none of its own', () => {
    const lines = [
      { ...usage('stt', 90), model: 'deepgram/x' },
      { ...usage('stt', 90), model: 'local/whisper' },
    ];
    expect(costOf(lines, pricesOf)?.items).toMatchObject([
      { model: 'deepgram/x', rate: { micros: 4_300, per: 60 } },
      { unpricedModel: 'local/whisper', rate: { micros: rateTable.rates.stt.micros, per: 60 } },
    ]);
  });

  it('cannot be told for a unit that a kind is not counted in', () => {
    expect(unpriceable([usage('stt', 1), { ...usage('llm', 1), unit: 'second' }])).toEqual([1]);
  });
});
