import { describe, expect, it } from '@jest/globals';
import { ModelInput } from './model.js';

const llm = {
  id: 'custom/llama',
  kind: 'llm',
  name: 'Llama',
  baseUrl: 'https://a.example/v1',
  model: 'llama',
};
const voice = { id: 'alloy', name: 'Alloy', languages: ['en'] };
const tts = { ...llm, kind: 'tts', voices: [voice] };
const issuesOf = (input: object): string[] =>
  (ModelInput.safeParse(input).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')} ${message}`,
  );

describe('a model of an organization', () => {
  it('needs nothing but an id, a kind, a name, an address and the name of the model at the server', () => {
    expect(ModelInput.parse(llm)).toEqual({
      ...llm,
      languages: ['*'],
      voices: [],
      prices: null,
      typicalLatencyMs: null,
      firstChunkMs: null,
      fallbacks: [],
      secretId: null,
    });
  });

  it('has the fields of its kind, and no others', () => {
    expect(issuesOf(tts)).toEqual([]);
    expect(issuesOf({ ...llm, kind: 'tts' })).toEqual(['voices needs at least one voice']);
    expect(issuesOf({ ...llm, voices: [voice] })).toEqual(['voices belongs to tts models']);
    expect(issuesOf({ ...tts, voices: [voice, voice] })).toEqual([
      'voices.1.id is the id of an earlier voice',
    ]);
    expect(issuesOf({ ...tts, firstChunkMs: 900 })).toEqual(['firstChunkMs belongs to llm models']);
    expect(issuesOf({ ...llm, prices: { perMillionInputTokens: 1 } })).toEqual([
      'prices.perMillionOutputTokens is required',
    ]);
    expect(issuesOf({ ...llm, kind: 'stt', prices: { perMinute: 1, perMillionCharacters: 2 } })).toEqual([
      'prices.perMillionCharacters is no price of stt models',
    ]);
  });

  it('has an id that fits into a configuration together with that of its longest voice', () => {
    const id = `custom/${'a'.repeat(40)}`;
    const longest = { ...voice, id: 'v'.repeat(80) };
    expect(issuesOf({ ...tts, id, voices: [longest] })).toEqual([]);
    expect(`${id}/${longest.id}`).toHaveLength(128);
  });

  it.each([
    ['an id of another form', { id: 'openai/gpt-4.1' }],
    ['an id that is too long', { id: `custom/${'a'.repeat(41)}` }],
    ['an id with a path', { id: 'custom/../secrets' }],
    ['100,000 characters as its name', { name: 'n'.repeat(100_000) }],
    ['100,000 characters as its model', { model: 'm'.repeat(100_000) }],
    ['100,000 characters as its address', { baseUrl: `https://a.example/${'p'.repeat(100_000)}` }],
    ['a name that nobody sees', { name: '\u200b' }],
    [
      'a price that is no whole number',
      { prices: { perMillionInputTokens: 0.5, perMillionOutputTokens: 1 } },
    ],
    ['a negative price', { prices: { perMillionInputTokens: -1, perMillionOutputTokens: 1 } }],
    ['no languages', { languages: [] }],
    ['more fall-backs than five', { fallbacks: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['a secret that is no uuid', { secretId: 'CRM_KEY' }],
    ['a key in the clear', { apiKey: 'sk-1' }],
  ])('does not have %s', (_, change) => {
    expect(issuesOf({ ...llm, ...change })).not.toEqual([]);
  });
});
