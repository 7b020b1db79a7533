import { describe, expect, it } from '@jest/globals';
import { estimateOf, offersLanguage } from './estimate.js';

const model = (id: string, costMicrosPerMinute: number | null, typicalLatencyMs: number | null) => ({
  ...{ id, name: id, provider: 'p', languages: ['*'], streaming: true },
  ...{ costMicrosPerMinute, typicalLatencyMs, available: true, unavailableReason: null },
});
const catalog = {
  sttModels: [model('s', 7_700, 150)],
  llmModels: [model('l', 3_000, 400), model('unpriced', null, 400)],
  ttsModels: [model('t', 20_000, 90)],
};

describe('the estimate of three models', () => {
  it('adds prices and latencies', () => {
    expect(estimateOf(catalog, ['s', 'l', 't'])).toEqual({ costMicrosPerMinute: 30_700, latencyMs: 640 });
  });
  it('is not made where a price is not published, and where a model is not in the catalog', () => {
    expect(estimateOf(catalog, ['s', 'unpriced', 't'])).toBeUndefined();
    expect(estimateOf(catalog, ['s', 'gone', 't'])).toBeUndefined();
  });
});

it.each([
  [['*'], 'xx', true],
  [['de', 'en'], 'de-AT', true],
  [['de', 'en'], 'fr', false],
  [['pt-BR'], 'pt-BR', true],
  [['de'], undefined, false],
] as const)('languages %j offer %s: %s', (languages, code, expected) => {
  expect(offersLanguage(languages, code)).toBe(expected);
});
