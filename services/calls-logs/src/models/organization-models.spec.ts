import { describe, expect, it } from '@jest/globals';
import { type IngestInput, type ModelForService, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcClient } from '@parlance/rpc';
import { costOf } from '../hand-over/pricing.js';
import { ModelsOfOrganizations } from './organization-models.js';

const own: ModelForService = {
  id: 'custom/llama',
  kind: 'llm',
  baseUrl: 'https://models.example/v1',
  model: 'llama',
  firstChunkMs: null,
  fallbacks: [],
  prices: { perMillionInputTokens: 1_234_567, perMillionOutputTokens: 7_654_321 },
  secretId: '0198c0de-0000-7000-8000-000000000001',
  isUsable: true,
};
const free = { ...own, id: 'custom/free', prices: { perMillionInputTokens: 0, perMillionOutputTokens: 0 } };
const unpriced = { ...own, id: 'custom/unpriced', prices: null };

const modelsOver = (answer: () => readonly ModelForService[]) => {
  const asked: unknown[] = [];
  const rpc = {
    call: async (row: unknown, { body }: { readonly body: unknown }) => {
      expect(row).toBe(serviceRequests.agentsModels);
      asked.push(body);
      return { data: answer() };
    },
  } as unknown as Pick<RpcClient, 'call'>;
  const models = new ModelsOfOrganizations({
    rpc,
    callerFor: (organizationId) => ({
      organizationId,
      actor: { type: 'platform', id: 'calls-logs' },
      role: 'platform',
      permissions: [],
    }),
    secrets: { open: async () => ({ byId: () => 'sk-own-key' }) },
    prices: {
      version: '2026',
      pricesOf: (id) => (id === 'custom/llama' ? { perMillionInputTokens: 9 } : undefined),
    },
  });
  return { models, asked };
};

const line = (model: string | null, direction: 'input' | 'output', quantity: number): Usage => ({
  kind: 'llm',
  unit: 'token',
  provider: 'models.example',
  quantity,
  model,
  direction,
});
type Usage = IngestInput['usage'][number];

describe('the cost of a call with models of the organization', () => {
  it('has their prices, to the micro', async () => {
    const { models, asked } = modelsOver(() => [own, free, unpriced]);
    const usage = [
      line('custom/llama', 'input', 12_345),
      line('custom/llama', 'output', 678),
      line('custom/free', 'output', 1_000_000),
      line('custom/unpriced', 'input', 1_000),
      line('openai/gpt-4.1', 'input', 1_000),
      line(null, 'input', 1_000),
    ];
    const { pricesOf, version } = await models.pricesFor({ organizationId: 'org', usage }, 'request');
    const micros = costOf(usage, pricesOf)?.items.map((item) => item.micros);
    // The rest is priced by its kind: 400 for a thousand tokens.
    expect(micros).toEqual([15_241, 5_190, 0, 400, 400, 400]);
    expect(version).toBe('2026, own');
    expect(asked).toEqual([{ ids: ['custom/llama', 'custom/free', 'custom/unpriced'] }]);
  });

  it('has those of the installation where the organization has no such model', async () => {
    const { models } = modelsOver(() => []);
    const usage = [line('custom/llama', 'input', 1_000_000)];
    const prices = await models.pricesFor({ organizationId: 'org', usage }, 'request');
    expect([prices.version, prices.pricesOf('custom/llama')]).toEqual(['2026', { perMillionInputTokens: 9 }]);
  });

  it('is not asked about where no model is custom, and is not guessed where the prices cannot be read', async () => {
    const { models, asked } = modelsOver(() => {
      throw new AppError('SERVICE_UNAVAILABLE');
    });
    await models.pricesFor({ organizationId: 'org', usage: [line('openai/gpt-4.1', 'input', 1)] }, 'request');
    expect(asked).toEqual([]);
    const usage = [line('custom/llama', 'input', 1)];
    await expect(models.pricesFor({ organizationId: 'org', usage }, 'request')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('the analysis with a model of the organization', () => {
  it('reaches the model with its key, and asks nothing for a model of a vendor', async () => {
    const { models, asked } = modelsOver(() => [own]);
    const found = await models.endpoints('org', 'custom/llama', 'request');
    expect(found?.models.map(({ id, apiKey }) => [id, apiKey?.reveal()])).toEqual([
      ['custom/llama', 'sk-own-key'],
    ]);
    expect(await models.endpoints('org', 'openai/gpt-4.1', 'request')).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});
