import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { catalogModels } from '../catalog/models.js';
import { keyVariables, wayOf } from '../catalog/vendors.js';
import { voiceCatalog } from '../catalog/voice-catalog.js';
import { noModelsFile, parseModelsFile } from '../operator/models-file.js';
import { endpointsFor } from './endpoints.js';
import { modelKeysEnv } from './env.js';

const allKeys = Object.fromEntries(keyVariables.map((name) => [name, `key of ${name}`]));
const reachable = catalogModels.filter(({ option }) => !option.unavailableReason?.includes('no plugin'));
const unreachable = catalogModels.filter((model) => !reachable.includes(model));
const named = (models: typeof catalogModels) => models.map(({ kind, option }) => ({ kind, id: option.id }));

describe('endpointsFor', () => {
  it.each(named(reachable))(
    'resolves $kind $id with its key alone, and names the key without it',
    ({ kind, id }) => {
      const { endpoints, unusable } = endpointsFor(kind, id, allKeys, noModelsFile);
      expect(unusable).toEqual([]);
      const [endpoint] = endpoints;
      if (endpoint === undefined) throw new Error('no endpoint');
      expect(id).toBe(`${id.slice(0, id.indexOf('/'))}/${endpoint.model}`);
      const variable = endpoint.apiKey?.reveal().replace('key of ', '') ?? '';
      const { [variable]: key, ...others } = allKeys;
      expect(endpointsFor(kind, id, { [variable]: key }, noModelsFile).endpoints).toHaveLength(1);
      expect(endpointsFor(kind, id, others, noModelsFile)).toEqual({
        endpoints: [],
        unusable: [{ id, reason: 'noKey', variable }],
      });
      if (endpoint.via === 'openai') expect(new URL(endpoint.baseUrl).protocol).toBe('https:');
      else expect(endpoint.package).toMatch(/^@livekit\/agents-plugin-[a-z]+$/);
    },
  );

  it.each(named(unreachable))(
    'cannot resolve $kind $id, which no configuration can choose',
    ({ kind, id }) => {
      expect(endpointsFor(kind, id, allKeys, noModelsFile)).toEqual({
        endpoints: [],
        unusable: [{ id, reason: 'noPlugin' }],
      });
      const { sttModels, ttsModels } = voiceCatalog;
      expect([...sttModels, ...ttsModels].find((model) => model.id === id)).toMatchObject({
        available: false,
      });
    },
  );

  it('reaches every language model over the OpenAI protocol', () => {
    const vias = voiceCatalog.llmModels.map(
      ({ id }) => endpointsFor('llm', id, allKeys, noModelsFile).endpoints[0]?.via,
    );
    expect(new Set(vias)).toEqual(new Set(['openai']));
  });

  it('has a use for every key', () => {
    const used = reachable.map(({ kind, option }) => wayOf(kind, option.id)?.keyVariable);
    expect(new Set(used)).toEqual(new Set(keyVariables));
  });

  it('takes no model for one of another kind', () => {
    expect(endpointsFor('stt', 'openai/gpt-4.1', allKeys, noModelsFile).unusable).toEqual([
      { id: 'openai/gpt-4.1', reason: 'unknown' },
    ]);
    expect(endpointsFor('llm', 'constructor/llm', allKeys, noModelsFile).endpoints).toEqual([]);
  });

  it('takes keys from a parsed environment, and no empty ones', () => {
    const id = 'openai/gpt-4.1';
    const env = z.object(modelKeysEnv).parse({ OPENAI_API_KEY: 'sealed' });
    const resolved = endpointsFor('llm', id, env, noModelsFile);
    expect(resolved.endpoints[0]?.apiKey?.reveal()).toBe('sealed');
    expect(JSON.stringify(resolved)).not.toContain('sealed');
    expect(endpointsFor('llm', id, { OPENAI_API_KEY: '' }, noModelsFile).endpoints).toEqual([]);
  });

  describe('with the file of an operator', () => {
    const entry = (name: string, change: object = {}) => ({
      id: `custom/${name}`,
      kind: 'llm',
      name,
      baseUrl: `http://${name}.internal:8000/v1/`,
      model: name,
      languages: ['*'],
      ...change,
    });
    const file = parseModelsFile(
      JSON.stringify({
        models: [
          entry('main', { keyVariable: 'MAIN_KEY', fallbacks: ['groq/llama-3.3-70b-versatile'] }),
          entry('spare', { firstChunkMs: 4_000 }),
          entry('hosted', { baseUrl: 'https://api.mistral.ai/v1', keyVariable: 'MISTRAL_API_KEY' }),
        ],
        fallbacks: { llm: ['custom/spare', 'groq/llama-3.3-70b-versatile'], stt: [], tts: [] },
      }),
      'models.json',
    );
    const idsOf = (id: string, env: Record<string, string>) =>
      endpointsFor('llm', id, env, file).endpoints.map((endpoint) => endpoint.id);

    it("lists the model, then its own fall-backs, then the file's, each once", () => {
      const env = { MAIN_KEY: 'a', GROQ_API_KEY: 'b' };
      expect(idsOf('custom/main', env)).toEqual([
        'custom/main',
        'groq/llama-3.3-70b-versatile',
        'custom/spare',
      ]);
      expect(idsOf('custom/spare', env)).toEqual(['custom/spare', 'groq/llama-3.3-70b-versatile']);
    });

    it('leaves out what has no key, and says so', () => {
      expect(idsOf('custom/main', {})).toEqual(['custom/spare']);
      expect(endpointsFor('llm', 'custom/main', {}, file).unusable).toEqual([
        { id: 'custom/main', reason: 'noKey', variable: 'MAIN_KEY' },
        { id: 'groq/llama-3.3-70b-versatile', reason: 'noKey', variable: 'GROQ_API_KEY' },
      ]);
    });

    it('knows the dialect of a vendor at an address of the operator', () => {
      const { endpoints } = endpointsFor('llm', 'custom/hosted', { MISTRAL_API_KEY: 'a' }, file);
      expect(endpoints[0]).toMatchObject({ baseUrl: 'https://api.mistral.ai/v1', dialect: 'mistral' });
      expect(endpoints[1]).toMatchObject({
        baseUrl: 'http://spare.internal:8000/v1',
        dialect: 'compatible',
        apiKey: undefined,
        firstChunkMs: 4_000,
      });
    });
  });
});
