// From a hand-over without an analysis to the webhook with one: the whole service on real engines.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallLog } from '@parlance/contracts';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { eventually } from '@parlance/fixtures';
import { Receiver } from '../testing/webhook-world.js';
import { finishedCall, World } from '../testing/world.js';

let world: World;
let receiver: Receiver;
let vendor: RunningOpenAi;
let folder: string;
/** A language model of the operator's own; agents of the other tests name one without a key. */
const ownModel = 'custom/analyst';
beforeAll(async () => {
  vendor = await startOpenAi();
  folder = await mkdtemp(join(tmpdir(), 'parlance-models-'));
  const entry = { id: ownModel, kind: 'llm', name: 'Analyst', model: 'fake-model', languages: ['*'] };
  const prices = { perMillionInputTokens: 2_000_000, perMillionOutputTokens: 8_000_000 };
  const models = [{ ...entry, baseUrl: vendor.url, prices }];
  await writeFile(join(folder, 'models.json'), JSON.stringify({ models }));
  world = await World.start({ variables: { MODELS_FILE: join(folder, 'models.json') } });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await world?.stop();
  await receiver?.stop();
  await vendor?.stop();
  await rm(folder, { recursive: true, force: true });
});

const settings = {
  language: 'en',
  timezone: 'Europe/Berlin',
  llmModel: 'openai/gpt-4.1',
  dataNeeded: [{ id: 'guests', type: 'integer' as const, description: 'Number of people', required: true }],
  dataEvaluation: [{ id: 'greeted', name: 'Greeted', prompt: 'Did the agent greet the caller?' }],
};
beforeEach(() => {
  receiver.received.length = 0;
  world.analysisSettings = settings;
  world.postCallWebhook = {
    url: `${receiver.url}/calls`,
    method: 'POST',
    headers: {},
    timeoutMs: 10_000,
    enabled: true,
    events: ['call.ended', 'call.analyzed', 'call.failed'],
  };
});

const words = ['Hello, for how many people?', 'We are five. No, six people.', 'Six people, thank you. Bye.'];
const transcript = words.map((text, seq) => ({
  seq,
  role: seq % 2 === 0 ? ('agent' as const) : ('user' as const),
  text,
  startMs: seq * 1_000,
}));
/** As a runtime hands it over that leaves the analysis to the platform. */
const unanalyzed = (organizationId: string, change: object = {}) => {
  const {
    summary: _summary,
    successful: _successful,
    analysisStatus: _status,
    ...call
  } = finishedCall(organizationId);
  return { ...call, transcript, ...change } as ReturnType<typeof finishedCall>;
};

interface Message {
  readonly type: string;
  readonly data: { readonly call: CallLog };
}
const messagesAbout = (callId: string): Message[] =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Message)
    .filter(({ data }) => data.call.id === callId);

const analyzed = (organizationId: string, callId: string): Promise<CallLog> =>
  eventually(async () => {
    const call = await world.get(organizationId, callId);
    expect(call.analysisStatus).not.toBe('pending');
    return call;
  });

const found = {
  analysisStatus: 'completed',
  successful: 'success',
  dataCollected: {
    guests: { value: 6, rationale: 'The caller said so in turn 1.', turns: [1], quote: 'six' },
  },
  evaluation: [{ id: 'greeted', result: 'success', score: 1, turns: [0] }],
};

describe('a call that is handed over without an analysis', () => {
  it('is analyzed by the platform, and its webhook goes out once, with the analysis', async () => {
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId);
    await world.ingest(call);
    const log = await analyzed(organizationId, call.callId);
    expect(log).toMatchObject(found);
    expect(log.summary).toContain('We are five. No, six people.');
    await eventually(() => expect(messagesAbout(call.callId)).toHaveLength(2));
    const told = messagesAbout(call.callId).find(({ type }) => type === 'call.analyzed');
    expect(told?.data.call).toMatchObject(found);
  });

  it('shows its success in the list of calls', async () => {
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId, { analysisStatus: 'pending' });
    await world.ingest(call);
    await analyzed(organizationId, call.callId);
    await eventually(async () => {
      const [listed] = await world.list(organizationId);
      expect(listed).toMatchObject({ id: call.callId, analysisStatus: 'completed', successful: 'success' });
    });
  });

  it('is not analyzed again by a repeated hand-over or a restart', async () => {
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId);
    await world.ingest(call);
    const before = await analyzed(organizationId, call.callId);
    world.analysisSettings = { ...settings, dataNeeded: [] };
    await world.ingest(call);
    await world.restart();
    const other = unanalyzed(organizationId);
    await world.ingest(other);
    await analyzed(organizationId, other.callId);
    const after = await world.get(organizationId, call.callId);
    expect(after).toEqual({ ...before, webhookDelivery: after.webhookDelivery });
    await eventually(() => expect(messagesAbout(other.callId)).toHaveLength(2));
    expect(messagesAbout(call.callId).filter(({ type }) => type === 'call.analyzed')).toHaveLength(1);
  });

  it('fails for good without a configuration, and the webhook goes out all the same', async () => {
    world.analysisSettings = undefined;
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId);
    await world.ingest(call);
    expect(await analyzed(organizationId, call.callId)).toMatchObject({
      analysisStatus: 'failed',
      successful: null,
      summary: null,
    });
    await eventually(() => {
      const told = messagesAbout(call.callId).find(({ type }) => type === 'call.analyzed');
      expect(told?.data.call.analysisStatus).toBe('failed');
    });
  });
});

describe('a call that needs no analysis', () => {
  it('keeps the analysis of its runtime', async () => {
    const organizationId = randomUUID();
    const call = { ...finishedCall(organizationId), transcript, summary: 'By the runtime.' };
    const pending = { ...call, analysisStatus: 'pending' as never };
    await world.ingest(pending);
    const log = await world.get(organizationId, call.callId);
    expect(log).toMatchObject({ analysisStatus: 'completed', summary: 'By the runtime.', dataCollected: {} });
  });

  it('is skipped where nobody said anything, and where the runtime wants none', async () => {
    const organizationId = randomUUID();
    const silent = unanalyzed(organizationId, { transcript: [] });
    const unwanted = unanalyzed(organizationId, { analysisStatus: 'skipped' });
    for (const call of [silent, unwanted]) {
      await world.ingest(call);
      expect((await world.get(organizationId, call.callId)).analysisStatus).toBe('skipped');
    }
  });
});

describe('a call of an agent whose language model is configured', () => {
  const byModel = {
    data: { guests: { value: 6, turn: 1, quote: 'No, six people.' } },
    goals: { greeted: { result: 'success', score: 1, turn: 0, quote: 'Hello', reason: 'It said hello.' } },
    summary: 'A table for six was asked for.',
    successful: 'success',
  };
  beforeEach(() => {
    vendor.chat.clear();
    vendor.faults.clear();
    world.analysisSettings = { ...settings, llmModel: ownModel };
  });

  it('is analyzed by the model, whose values name the turn that proves them', async () => {
    vendor.chat.rule = () => JSON.stringify(byModel);
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId);
    await world.ingest(call);
    expect(await analyzed(organizationId, call.callId)).toMatchObject({
      summary: 'A table for six was asked for.',
      dataCollected: { guests: { value: 6, turns: [1], quote: 'No, six people.' } },
    });
  });

  it('is analyzed by rules where the model answers nonsense', async () => {
    vendor.chat.rule = () => 'I would rather not.';
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId);
    await world.ingest(call);
    expect(await analyzed(organizationId, call.callId)).toMatchObject(found);
  });

  it('costs what the catalog says of its model, by the direction of the tokens', async () => {
    vendor.chat.rule = () => JSON.stringify(byModel);
    const tokens = { kind: 'llm', unit: 'token', provider: 'custom', model: ownModel };
    const organizationId = randomUUID();
    const usage = [
      { ...tokens, quantity: 1_000, direction: 'input' },
      { ...tokens, quantity: 100, direction: 'output' },
    ];
    const call = unanalyzed(organizationId, { usage });
    await world.ingest(call);
    const { cost } = await world.get(organizationId, call.callId);
    expect(cost).toMatchObject({ totalMicros: 2_800, items: [{ micros: 2_000 }, { micros: 800 }] });
  });
});

describe('a call of an agent with a model of its organization', () => {
  beforeEach(() => {
    vendor.chat.clear();
    vendor.chat.rule = () => JSON.stringify({ summary: 'Said by their own model.' });
    vendor.received.length = 0;
    world.models = [
      {
        id: 'custom/theirs',
        kind: 'llm',
        baseUrl: vendor.url,
        model: 'theirs',
        firstChunkMs: null,
        fallbacks: [],
        prices: { perMillionInputTokens: 3_000_001, perMillionOutputTokens: 5_000_000 },
        secretId: null,
        isUsable: true,
      },
    ];
    world.analysisSettings = { ...settings, llmModel: 'custom/theirs' };
  });
  afterEach(() => {
    world.models = [];
  });

  it('costs what the organization says of its model, to the micro', async () => {
    const tokens = { kind: 'llm', unit: 'token', provider: 'theirs', model: 'custom/theirs' };
    const usage = [
      { ...tokens, quantity: 1_000_000, direction: 'input' },
      { ...tokens, quantity: 3, direction: 'output' },
    ];
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId, { usage });
    await world.ingest(call);
    const { cost } = await world.get(organizationId, call.callId);
    expect(cost).toMatchObject({ totalMicros: 3_000_016, items: [{ micros: 3_000_001 }, { micros: 15 }] });
  });

  it('is analyzed by this model', async () => {
    const organizationId = randomUUID();
    const call = unanalyzed(organizationId);
    await world.ingest(call);
    expect(await analyzed(organizationId, call.callId)).toMatchObject({
      summary: 'Said by their own model.',
    });
    expect(vendor.received.map(({ body }) => Object(body).model)).toContain('theirs');
  });
});
