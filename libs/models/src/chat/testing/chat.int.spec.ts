import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Egress } from '@parlance/egress';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { endpointsFor, modelEgress, parseModelsFile } from '../../index.js';
import { type ChatEvent, type ChatRequest, chat, EndpointBreakers } from '../index.js';
import { collect, endpointAt, textOf } from './endpoints.js';

let fake: RunningOpenAi;
let egress: Egress;

beforeAll(async () => {
  fake = await startOpenAi({ apiKey: 'key' });
  egress = new Egress({ allowPrivate: ['127.0.0.1'] });
});
afterEach(() => {
  fake.chat.clear();
  fake.faults.clear();
  fake.received.length = 0;
});
afterAll(async () => {
  await egress.close();
  await fake.stop();
});

const tools = [{ name: 'weather', description: 'The weather of a city.', parameters: { type: 'object' } }];
const request: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }], tools };
const answerTo = (
  change: Partial<ChatRequest> = {},
  endpoint = endpointAt(fake.url, 'first'),
): Promise<ChatEvent[]> =>
  collect(
    chat({ ...request, ...change }, [endpoint], {
      egress: { of: () => egress },
      breakers: new EndpointBreakers(),
    }),
  );

describe('a chat with an endpoint that works', () => {
  it('streams the text, then the usage, then the end', async () => {
    fake.chat.push('Good morning, how can I help?');
    const events = await answerTo();
    expect(textOf(events)).toBe('Good morning, how can I help?');
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2);
    expect(events.slice(-2)).toEqual([
      { type: 'usage', endpointId: 'first', inputTokens: expect.any(Number), outputTokens: 8 },
      { type: 'end', reason: 'stop' },
    ]);
  });

  it('hands out tool calls with their arguments as objects that keep every digit', async () => {
    const toolCalls = [{ name: 'weather', arguments: '{"city":"Berlin","order":9007199254740993}' }];
    fake.chat.push({ text: 'One moment.', toolCalls });
    const events = await answerTo();
    const call = events.find((event) => event.type === 'toolCall');
    expect(call).toMatchObject({ name: 'weather', arguments: { city: 'Berlin' } });
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'toolCalls' });
    if (call?.type !== 'toolCall') throw new Error('no tool call');
    await answerTo({
      messages: [
        ...request.messages,
        { role: 'assistant', content: 'One moment.', toolCalls: [call] },
        { role: 'tool', toolCallId: call.id, content: 'Sunny' },
      ],
    });
    expect(fake.received.at(-1)?.body).toMatchObject({
      messages: [
        {},
        { tool_calls: [{ function: { arguments: toolCalls[0]?.arguments } }] },
        { role: 'tool' },
      ],
    });
  });

  it('gives no text and no tool call twice, and says when the length was not enough', async () => {
    fake.chat.push({ text: 'Half of', finishReason: 'length' });
    const events = await answerTo({ maxOutputTokens: 2 });
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'length' });
    expect(fake.received[0]?.body).toMatchObject({ max_completion_tokens: 2 });
  });

  it('reads streams to their end, so that turns share connections', async () => {
    for (let turn = 0; turn < 20; turn += 1) expect(textOf(await answerTo())).toBe('You said: Hello');
    // A turn that begins before the end of the last one was read has a connection of its own.
    expect(new Set(fake.received.map(({ clientPort }) => clientPort)).size).toBeLessThan(15);
  });

  it('sends the key of the endpoint, and nothing of the environment', async () => {
    process.env.OPENAI_API_KEY = 'of the environment';
    process.env.OPENAI_ORG_ID = 'org-1';
    process.env.OPENAI_PROJECT_ID = 'project-1';
    try {
      await answerTo();
      const open = await startOpenAi();
      await answerTo({}, endpointAt(open.url, 'open', { apiKey: undefined }));
      await open.stop();
      const [withKey] = fake.received;
      const [withoutKey] = open.received;
      expect(withKey?.headers.authorization).toBe('Bearer key');
      expect(withoutKey?.headers.authorization).toBeUndefined();
      for (const request of [withKey, withoutKey])
        expect(JSON.stringify(request)).not.toMatch(/org-1|project-1|of the environment/);
    } finally {
      for (const name of ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID']) delete process.env[name];
    }
  });
});

describe('the egress to models', () => {
  it("reaches the addresses of the operator's file on their ports, and nothing else inside", async () => {
    const entry = { kind: 'llm', name: 'Local', model: 'local', languages: ['*'] };
    const file = parseModelsFile(
      JSON.stringify({
        models: [{ ...entry, id: 'custom/local', baseUrl: fake.url, keyVariable: 'LOCAL_KEY' }],
      }),
      'models.json',
    );
    const other = await startOpenAi();
    const guarded = modelEgress({ EGRESS_ALLOW_PRIVATE: [], EGRESS_DENY: ['127.0.0.0/8'] }, file);
    const { endpoints } = endpointsFor('llm', 'custom/local', { LOCAL_KEY: 'key' }, file);
    const turn = (list: typeof endpoints) =>
      collect(chat(request, list, { egress: guarded, breakers: new EndpointBreakers() }));
    expect(textOf(await turn(endpoints))).toBe('You said: Hello');
    expect(await turn([endpointAt(other.url, 'other')])).toMatchObject([{ reason: 'notAllowed' }, {}]);
    expect(other.received).toEqual([]);
    // The address of the operator is none that an organization reaches.
    const ofOrganization = endpoints.map((endpoint) => ({ ...endpoint, organizationId: 'org' }));
    expect(await turn(ofOrganization)).toMatchObject([{ reason: 'notAllowed' }, {}]);
    await guarded.close();
    await other.stop();
  });
});

describe('the breaker of an endpoint', () => {
  it('does not skip the server of one organization because that of another failed under the same id', async () => {
    const breakers = new EndpointBreakers();
    const turn = (organizationId: string, baseUrl: string) =>
      collect(
        chat(request, [endpointAt(baseUrl, 'custom/own', { organizationId })], {
          egress: { of: () => egress },
          breakers,
        }),
      );
    expect(await turn('one', 'http://127.0.0.1:1/v1')).toMatchObject([{ reason: 'unreachable' }, {}]);
    expect(await turn('one', fake.url)).toMatchObject([{ reason: 'breakerOpen' }, {}]);
    fake.chat.push('Hello');
    expect(textOf(await turn('two', fake.url))).toBe('Hello');
  });
});
