import { describe, expect, it } from '@jest/globals';
import { StartRefusal } from '@parlance/config';
import { catalogModels } from '../catalog/models.js';
import { voiceCatalog } from '../catalog/voice-catalog.js';
import { catalogWith, pricesOf, voiceNameOf } from './catalog.js';
import { noModelsFile, parseModelsFile, readModelsFile } from './models-file.js';

const llm = {
  id: 'custom/llama',
  kind: 'llm',
  name: 'Llama',
  baseUrl: 'http://127.0.0.1:11434/v1/',
  model: 'llama3.3',
  languages: ['*'],
};
const tts = {
  ...llm,
  id: 'custom/kokoro',
  kind: 'tts',
  voices: [{ id: 'af_heart', name: 'Heart', languages: ['en'] }],
};
const parse = (content: unknown) => parseModelsFile(JSON.stringify(content), '/etc/models.json');
const refusal = (content: unknown): string => {
  try {
    parse(content);
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  }
  return 'it was accepted';
};

describe('the file of an operator', () => {
  it('needs nothing but an address, a model, a name and languages', () => {
    expect(parse({ models: [llm] }).models).toEqual([
      { ...llm, baseUrl: 'http://127.0.0.1:11434/v1', fallbacks: [] },
    ]);
    expect(parse({})).toEqual(noModelsFile);
  });

  it.each([
    [
      'a field that is missing',
      { models: [{ ...llm, model: undefined }] },
      'models[0] (custom/llama).model is missing',
    ],
    [
      'a misspelt field',
      { models: [{ ...llm, baseURL: 'x' }] },
      'has a field that does not exist (Unrecognized key: "baseURL")',
    ],
    [
      'an id without custom/',
      { models: [{ ...llm, id: 'llama' }] },
      'models[0] (llama).id has to be custom/ and a name',
    ],
    [
      'an unknown kind',
      { models: [{ ...llm, kind: 'image' }] },
      'models[0] (custom/llama).kind has to be "llm", "stt" or "tts"',
    ],
    [
      'an address that is none',
      { models: [{ ...llm, baseUrl: 'ollama' }] },
      'baseUrl has to be an address such as',
    ],
    [
      'a key in the address',
      { models: [{ ...llm, baseUrl: 'https://me:key@a.example/v1' }] },
      'name a variable in keyVariable',
    ],
    [
      'a key instead of a variable',
      { models: [{ ...llm, keyVariable: 'sk-123' }] },
      'keyVariable has to be the name of an environment variable',
    ],
    [
      'a language that does not exist',
      { models: [{ ...llm, languages: ['tlh'] }] },
      'languages.0 is no language of the catalog',
    ],
    [
      'speech without voices',
      { models: [{ ...tts, voices: [] }] },
      'models[0] (custom/kokoro).voices is not valid',
    ],
    [
      'prices of another kind',
      { models: [{ ...llm, prices: { perMinute: 1 } }] },
      'models[0] (custom/llama).prices',
    ],
    [
      'the same id twice',
      { models: [llm, llm] },
      'models[1] (custom/llama).id is the id of an earlier entry',
    ],
    [
      'the same voice twice',
      { models: [{ ...tts, voices: [...tts.voices, ...tts.voices] }] },
      'voices.1.id is the id of an earlier voice',
    ],
    [
      'a fall-back that does not exist',
      { models: [{ ...llm, fallbacks: ['custom/b'] }] },
      'models[0] (custom/llama).fallbacks.0 is no llm model: "custom/b"',
    ],
    [
      'a fall-back of another kind',
      { models: [llm, tts], fallbacks: { llm: ['custom/kokoro'] } },
      'fallbacks.llm.0 is no llm model',
    ],
    ['itself as fall-back', { models: [{ ...llm, fallbacks: ['custom/llama'] }] }, 'is the entry itself'],
  ])('is refused for %s, with the entry, the field and the remedy', (_, content, message) => {
    const refused = refusal(content);
    expect(refused).toContain('MODELS_FILE /etc/models.json: ');
    expect(refused).toContain(message);
    expect(refused).toContain('docs/models.md');
  });

  it('is refused with all its mistakes at once', () => {
    const message = refusal({
      models: [
        { ...llm, model: '' },
        { ...tts, name: undefined },
      ],
    });
    expect(message).toContain('models[0] (custom/llama).model');
    expect(message).toContain('models[1] (custom/kokoro).name is missing');
  });

  it('is refused when it is not JSON or cannot be read, by its path', async () => {
    expect(() => parseModelsFile('{', '/a.json')).toThrow(/MODELS_FILE \/a\.json: is not JSON/);
    await expect(readModelsFile('/does/not/exist.json')).rejects.toThrow(
      /MODELS_FILE \/does\/not\/exist\.json: cannot be read \(ENOENT\)/,
    );
    expect(await readModelsFile(undefined)).toBe(noModelsFile);
  });
});

describe('the catalog with the models of an operator', () => {
  const file = parse({
    models: [{ ...llm, prices: { perMillionInputTokens: 1, perMillionOutputTokens: 2 } }, tts],
  });

  it('is the catalog of the program without a file, and has another version for each file', () => {
    expect(catalogWith(noModelsFile)).toBe(voiceCatalog);
    const versions = [parse({ models: [llm] }), file].map((each) => catalogWith(each).version);
    expect(new Set([voiceCatalog.version, ...versions]).size).toBe(3);
  });

  it('names what takes over for a model: its own fall-backs, then those of the file, and never itself', () => {
    const fallbacks = { llm: ['openai/gpt-4.1', 'custom/llama'] };
    const models = [{ ...llm, fallbacks: ['openai/gpt-4.1-mini', 'openai/gpt-4.1'] }];
    const { llmModels, sttModels } = catalogWith(parse({ models, fallbacks }));
    const of = (id: string) => llmModels.find((model) => model.id === id)?.fallbacks;
    expect(of('custom/llama')).toEqual(['openai/gpt-4.1-mini', 'openai/gpt-4.1']);
    expect(of('openai/gpt-4.1')).toEqual(['custom/llama']);
    expect(sttModels.some((model) => model.fallbacks !== undefined)).toBe(false);
  });

  it('has a price for every model of the file and of the program that has one', () => {
    expect(pricesOf('custom/llama', file)).toEqual({ perMillionInputTokens: 1, perMillionOutputTokens: 2 });
    expect(pricesOf('openai/gpt-4.1-mini', file)).toEqual({
      perMillionInputTokens: 400_000,
      perMillionOutputTokens: 1_600_000,
    });
    for (const { option, prices } of catalogModels) {
      expect(pricesOf(option.id, file)).toBe(prices);
      expect(prices === undefined).toBe(option.costMicrosPerMinute === null);
    }
    expect(pricesOf('custom/kokoro', file)).toBeUndefined();
  });

  it("charges nothing for the use of the operator's own speech service", () => {
    expect(pricesOf('local/whisper-1', file)).toMatchObject({ perMinute: 0 });
    expect(pricesOf('local/tts-1', file)).toMatchObject({ perMillionCharacters: 0 });
  });

  it("names a voice as its vendor or the operator's server does", () => {
    expect(voiceNameOf('custom/kokoro/af_heart')).toBe('af_heart');
    expect(voiceNameOf('openai/alloy')).toBe('alloy');
  });
});
