import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import type { ModelForService, OrganizationModel } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { catalogWith, endpointsFor, noModelsFile, parseModelsFile } from '../index.js';
import { openModels } from '../organization/open-models.js';
import { ModelKeyPair, sealModelKey } from '../organization/sealed-keys.js';

const model = {
  id: 'custom/llama',
  kind: 'llm' as const,
  baseUrl: 'https://models.example/v1',
  model: 'llama',
  firstChunkMs: null,
  fallbacks: ['custom/spare', 'groq/llama-3.3-70b-versatile'],
};
const spare = { ...model, id: 'custom/spare', baseUrl: 'https://spare.example/v1', fallbacks: [] };
const usable = { apiKey: undefined, isUsable: true };
const ofOperator = parseModelsFile(
  JSON.stringify({
    models: [
      {
        id: 'custom/llama',
        kind: 'llm',
        name: 'Llama of the operator',
        baseUrl: 'http://10.0.0.1:11434/v1',
        model: 'llama',
        languages: ['*'],
      },
    ],
    fallbacks: { llm: ['custom/llama'], stt: [], tts: [] },
  }),
  'models.json',
);
const call = { organizationId: 'org', callId: 'call' };

describe('the endpoints of an organization', () => {
  it('come before the operator’s of the same id, and are marked as the organization’s', () => {
    const organization = {
      organizationId: 'org',
      models: [
        { ...model, ...usable },
        { ...spare, ...usable },
      ],
    };
    const { endpoints } = endpointsFor('llm', model.id, {}, ofOperator, organization);
    expect(endpoints.map(({ id, baseUrl, organizationId }) => [id, baseUrl, organizationId])).toEqual([
      ['custom/llama', model.baseUrl, 'org'],
      ['custom/spare', spare.baseUrl, 'org'],
    ]);
    const without = endpointsFor('llm', model.id, {}, ofOperator).endpoints;
    expect(without.map(({ organizationId }) => organizationId)).toEqual([undefined]);
  });

  it('are left out where the key cannot be had, so that the fall-backs answer', () => {
    const models = [
      { ...model, apiKey: undefined, isUsable: false },
      { ...spare, apiKey: new Secret('key'), isUsable: true },
    ];
    const found = endpointsFor('llm', model.id, {}, noModelsFile, { organizationId: 'org', models });
    expect(found.endpoints.map(({ id }) => id)).toEqual(['custom/spare']);
    expect(found.unusable[0]).toEqual({ id: 'custom/llama', reason: 'noSecret' });
  });
});

describe('the keys of a call’s models', () => {
  const sealedFor = ({ publicKey }: ModelKeyPair, change: Partial<typeof model & typeof call> = {}) =>
    sealModelKey(publicKey, new Secret('sk-own'), { ...model, ...call, ...change });
  const opened = (pair: ModelKeyPair, sealedKey: string | null) => {
    const [only] = pair.open(call, [{ ...model, sealedKey, isUsable: true }]).models;
    return [only?.apiKey?.reveal(), only?.isUsable];
  };

  it('open for the request that asked, and are in no text of what was opened', () => {
    const pair = new ModelKeyPair();
    const sealed = sealedFor(pair);
    expect(opened(pair, sealed)).toEqual(['sk-own', true]);
    expect(JSON.stringify(pair.open(call, [{ ...model, sealedKey: sealed, isUsable: true }]))).not.toContain(
      'sk-own',
    );
    expect(opened(pair, null)).toEqual([undefined, true]);
  });

  it('do not open for another request, call, model or origin', () => {
    const pair = new ModelKeyPair();
    expect(opened(new ModelKeyPair(), sealedFor(pair))).toEqual([undefined, false]);
    const others = [{ callId: 'other' }, { id: 'custom/other' }, { baseUrl: 'https://other.example/v1' }];
    for (const change of others) expect(opened(pair, sealedFor(pair, change))).toEqual([undefined, false]);
  });

  it('are opened inside the platform, and a secret that is gone makes its model unusable', async () => {
    const stored: ModelForService = { ...model, prices: null, secretId: 'there', isUsable: true };
    const secrets = {
      open: async (_: string, { ids }: { readonly ids: readonly string[] }) => {
        if (ids[0] !== 'there') throw new AppError('SECRET_NOT_FOUND');
        return { byId: () => 'sk-own' };
      },
    };
    const gone = { ...stored, id: 'custom/gone', secretId: 'gone' };
    const keyless = { ...stored, id: 'custom/keyless', secretId: null };
    const { models } = await openModels(secrets, 'org', [stored, gone, keyless]);
    expect(models.map(({ id, apiKey, isUsable }) => [id, apiKey?.reveal(), isUsable])).toEqual([
      ['custom/llama', 'sk-own', true],
      ['custom/gone', undefined, false],
      ['custom/keyless', undefined, true],
    ]);
  });

  it('are missing with an error while the secrets cannot be read', async () => {
    const stored: ModelForService = { ...model, prices: null, secretId: 'there', isUsable: true };
    const away = { open: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')) };
    await expect(openModels(away, 'org', [stored])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('the catalog of an organization', () => {
  const own: OrganizationModel = {
    ...model,
    name: 'Our Llama',
    languages: ['*'],
    voices: [],
    prices: { perMillionInputTokens: 1_000_000, perMillionOutputTokens: 2_000_000 },
    typicalLatencyMs: null,
    secretId: null,
    usedBy: [],
    createdAt: '2026-11-27T00:00:00.000Z',
    updatedAt: '2026-11-27T00:00:00.000Z',
  };

  it('has its models in place of the operator’s with the same id, and a version of its own', () => {
    const [installation, ofOrganization] = [catalogWith(ofOperator), catalogWith(ofOperator, [own])];
    const named = ofOrganization.llmModels.filter(({ id }) => id === own.id);
    expect(named.map(({ name }) => name)).toEqual(['Our Llama']);
    expect(ofOrganization.version).not.toBe(installation.version);
  });
});
