import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Egress } from '@parlance/egress';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { type ChatEvent, type ChatRequest, chat, EndpointBreakers } from '../chat/index.js';
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
const answerTo = (change: Partial<ChatRequest> = {}): Promise<ChatEvent[]> =>
  collect(
    chat({ ...request, ...change }, [endpointAt(fake.url, 'first')], {
      egress,
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
});
