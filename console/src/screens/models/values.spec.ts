import { describe, expect, it } from '@jest/globals';
import { bodyOf, firstValues, type ModelValues, updateOf, valuesOf } from './values.js';

const secretId = '0198c0de-0000-7000-8000-0000000000ac';
const values: ModelValues = {
  ...firstValues,
  id: 'llama',
  name: 'Llama',
  baseUrl: 'https://models.example.com/v1',
  model: 'llama-3.3-70b',
  secretId,
};

describe('the form of a model', () => {
  it('sends what the chosen kind has, and leaves out what was typed for another kind', () => {
    const typed: ModelValues = {
      ...values,
      prices: {
        ...values.prices,
        perMillionInputTokens: 400_000,
        perMillionOutputTokens: 1_600_000,
        perMinute: 5,
      },
      voices: [{ id: 'a', name: 'A', languages: ['en'] }],
      firstChunkMs: 3_000,
      fallbackRows: [{ id: 'openai/gpt-4.1-mini' }],
    };
    expect(bodyOf(typed)).toMatchObject({
      id: 'custom/llama',
      voices: [],
      prices: { perMillionInputTokens: 400_000, perMillionOutputTokens: 1_600_000 },
      firstChunkMs: 3_000,
      fallbacks: ['openai/gpt-4.1-mini'],
    });
    expect(bodyOf({ ...typed, kind: 'tts' })).toMatchObject({
      voices: typed.voices,
      prices: null,
      firstChunkMs: null,
    });
  });

  it('holds a saved model, and sends nothing of it without a change', () => {
    const { fallbackRows, ...settings } = values;
    const saved = {
      ...bodyOf(values),
      ...settings,
      id: 'custom/llama',
      languages: ['*'],
      voices: [],
      prices: null,
      fallbacks: [],
      usedBy: [],
      createdAt: '',
      updatedAt: '',
    };
    expect(valuesOf(saved)).toEqual(values);
    expect(updateOf(values, values)).toEqual({});
  });

  it('names the key again when the model goes to another server, and not when only its path changes', () => {
    const baseUrl = 'https://other.example.com/v1';
    expect(updateOf({ ...values, baseUrl }, values)).toEqual({ baseUrl, secretId });
    const path = 'https://models.example.com/v2';
    expect(updateOf({ ...values, baseUrl: path }, values)).toEqual({ baseUrl: path });
  });
});
