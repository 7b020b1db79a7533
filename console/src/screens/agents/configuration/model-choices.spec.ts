import { describe, expect, it } from '@jest/globals';
import { groupsOf } from '../../../forms/combo-choices.js';
import { fallbacksText, modelChoices } from './model-choices.js';

const names = {
  currency: 'USD',
  languages: ['en', 'de', 'fr', 'it'].map((code) => ({ code, name: code.toUpperCase() })),
};
const model = (id: string, provider: string, more: object = {}) => ({
  id,
  provider,
  name: id,
  languages: ['en'],
  streaming: true,
  costMicrosPerMinute: null,
  typicalLatencyMs: null,
  available: true,
  unavailableReason: null,
  ...more,
});

describe('the models of the catalog', () => {
  it('say their languages, price and delay, or why they cannot be chosen', () => {
    const models = [
      model('openai/a', 'OpenAI', { languages: ['*'], costMicrosPerMinute: 3_000, typicalLatencyMs: 450 }),
      model('custom/b', 'Custom', { languages: ['en', 'de', 'fr', 'it'] }),
      model('openai/c', 'OpenAI', { available: false, unavailableReason: 'Replaced by A.' }),
    ];
    expect(modelChoices(models, names)).toMatchObject([
      { group: 'OpenAI', label: 'openai/a', remark: 'all languages · $0.003 a minute · 450 ms' },
      { badge: 'custom', remark: 'EN, DE, FR and 1 more · not priced' },
      { label: 'openai/c (not available)', remark: 'Replaced by A.' },
    ]);
  });

  it('stand together by vendor, and are found by the name of the vendor', () => {
    const choices = modelChoices(
      [model('openai/a', 'OpenAI'), model('groq/b', 'Groq'), model('openai/c', 'OpenAI')],
      names,
    );
    const shown = (typed: string) =>
      groupsOf(choices, typed).map(([group, members]) => [group, members.map(({ value }) => value)]);
    expect(shown('')).toEqual([
      ['OpenAI', ['openai/a', 'openai/c']],
      ['Groq', ['groq/b']],
    ]);
    expect(shown('GROQ')).toEqual([['Groq', ['groq/b']]]);
    expect(shown('nothing')).toEqual([]);
  });

  it('name what takes over when they fail', () => {
    const models = [
      model('custom/a', 'Custom', { fallbacks: ['openai/b', 'gone/c'] }),
      model('openai/b', 'OpenAI'),
    ];
    expect(fallbacksText(models, 'custom/a')).toBe('If it fails: openai/b, gone/c.');
    expect(fallbacksText(models, 'openai/b')).toBeUndefined();
  });
});
