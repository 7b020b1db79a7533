// Conversations in text with the simulated runtime: each question is asked as the platform asks it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnsweredTurn, callContext } from '@parlance/contracts';
import { ableAgentId, agent, type FakePlatform, startFakePlatform } from './testing/fake-platform.js';
import { startTextRuntime } from './text-runtime.js';

const internalKey = 'internal';
let platform: FakePlatform;
let runtime: Awaited<ReturnType<typeof startTextRuntime>>;

beforeAll(async () => {
  platform = await startFakePlatform('key', 'secret');
  runtime = await startTextRuntime({ platformUrl: platform.url, internalKey, wordMs: 0 });
});
afterAll(async () => {
  await runtime?.stop();
  await platform?.close();
});

const post = (body: unknown, key = internalKey): Promise<Response> =>
  fetch(`${runtime.url}/text-turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-key': key },
    body: JSON.stringify(body),
  });

/** The conversation so far, of which the visitor says these sentences. */
const question = (agentId: string, ...said: readonly string[]) => ({
  context: callContext({
    ...{ callId: 'call-1', organizationId: 'org', agentId, channel: 'widget', direction: 'inbound' },
    dynamicVariables: { customer_name: 'Ada' },
  }),
  turns: said.map((text, index) => ({ seq: index * 2 + 1, role: 'user', text, startMs: index })),
});

interface Event {
  readonly name: string;
  readonly data: { readonly delta?: string; readonly turn?: AnsweredTurn; readonly reason?: string };
}

const ask = async (agentId: string, ...said: readonly string[]): Promise<Event[]> => {
  const text = await (await post(question(agentId, ...said))).text();
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name = '', data = '']) => ({
    name,
    data: JSON.parse(data),
  }));
};

const turnsIn = (events: readonly Event[]): AnsweredTurn[] => events.flatMap(({ data }) => data.turn ?? []);

describe('the simulated runtime in text', () => {
  it('says word by word what its turn then says as a whole', async () => {
    const events = await ask(agent.id, 'Hello');
    const [turn] = turnsIn(events);
    expect(turn).toMatchObject({ role: 'agent', toolCall: null });
    expect(events.flatMap(({ data }) => data.delta ?? []).join('')).toBe(turn?.text);
    expect(events.filter(({ name }) => name === 'text').length).toBeGreaterThan(5);
  });

  it('runs the tool and searches the documents of its agent, with the token of the call', async () => {
    const looked = turnsIn(await ask(ableAgentId, 'Hello', 'Where is my order?'));
    expect(looked).toMatchObject([
      { role: 'tool', toolCall: { name: 'find_order', status: 'ok', result: { state: 'sent' } } },
      { role: 'agent', text: expect.stringContaining('sent') },
    ]);
    const read = turnsIn(await ask(ableAgentId, 'Hello', 'My order?', 'A refund?'));
    expect(read).toMatchObject([
      { role: 'agent', text: expect.stringContaining('five days'), sources: [{ chunkId: 'c1' }] },
    ]);
    expect(platform.asked.every(({ token }) => token.includes('token-of-the-call'))).toBe(true);
  });

  it('ends the conversation after its goodbye', async () => {
    const events = await ask(agent.id, 'Thank you, goodbye!');
    expect(events.slice(-2)).toMatchObject([
      { name: 'turn', data: { turn: { role: 'agent' } } },
      { name: 'end', data: { reason: 'agent_hangup' } },
    ]);
  });

  it('answers nobody without the internal key, and nothing that is no text turn', async () => {
    expect((await post(question(agent.id, 'Hello'), 'wrong')).status).toBe(401);
    expect((await post({ turns: [] })).status).toBe(400);
  });
});
