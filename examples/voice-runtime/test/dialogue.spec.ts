// The rules of the example: sentences that run a tool, questions that are looked up, and words that end the call.
import { expect, it } from '@jest/globals';
import { runtimeConfig } from '@parlance/fake-livekit/testing';
import { Dialogue } from '../src/dialogue.js';
import type { RuntimeConfig, Tool } from '../src/protocol.js';

const tool: Tool = {
  name: 'order_status',
  description: 'Tells how far an order is.',
  fillerMessage: null,
  parameters: {
    type: 'object',
    properties: { orderId: { type: 'string' }, speed: { type: 'string', enum: ['slow', 'fast'] } },
    required: ['orderId'],
  },
};
const passage = { knowledgeSourceId: 'source', chunkId: 'c1', text: 'A refund takes five days.', score: 0.9 };

const dialogue = (change: Partial<RuntimeConfig> = {}, isError = false) => {
  const ran: [string, unknown][] = [];
  const searched: string[] = [];
  const found: RuntimeConfig = {
    ...runtimeConfig({ firstMessage: 'Hi {{name | there}}, {{product | all}} is fine.' }),
    tools: [tool],
    knowledge: { mode: 'auto' },
    ...change,
  };
  const talk = new Dialogue({
    found,
    context: { dynamicVariables: { name: 'Ada' }, firstMessage: null },
    session: {
      runTool: async (name, given) => {
        ran.push([name, given]);
        return { result: { state: 'sent' }, assignments: {}, durationMs: 5, isError };
      },
      searchKnowledge: async (query) => {
        searched.push(query);
        return [passage];
      },
    },
  });
  return { talk, ran, searched };
};

it('greets with the variables of the call, and with the fallback of those that are not known', () => {
  expect(dialogue().talk.opening()).toBe('Hi Ada, all is fine.');
});

it('runs the tool that the question names, with the value that was said', async () => {
  const { talk, ran, searched } = dialogue();
  const reply = await talk.answer('What is the status of order A-1001?');
  expect(ran).toEqual([['order_status', { orderId: 'A-1001' }]]);
  expect(reply).toMatchObject({ text: 'The system says: {"state":"sent"}', isLast: false });
  expect(reply.toolCall).toMatchObject({ name: 'order_status', status: 'ok', durationMs: 5 });
  expect(searched).toEqual([]);
});

it('asks for a value that the tool needs, and runs the tool with the answer', async () => {
  const { talk, ran } = dialogue();
  expect(await talk.answer('Where is my order?')).toMatchObject({ text: 'Can you tell me the order id?' });
  expect(ran).toEqual([]);
  await talk.answer('It is 4711');
  expect(ran).toEqual([['order_status', { orderId: '4711' }]]);
});

it('says that the system gives no answer when the tool fails', async () => {
  const { talk } = dialogue({}, true);
  const reply = await talk.answer('the order A-1');
  expect(reply.text).toBe('I am sorry, the system gives me no answer.');
  expect(reply.toolCall).toMatchObject({ status: 'error' });
});

it('looks everything else up, and names its sources', async () => {
  const { talk, ran, searched } = dialogue();
  const reply = await talk.answer('How long does a refund take?');
  expect(searched).toEqual(['How long does a refund take?']);
  expect(reply.text).toBe('Our documents say: A refund takes five days.');
  expect(reply.sources).toEqual([{ knowledgeSourceId: 'source', chunkId: 'c1', score: 0.9 }]);
  expect(ran).toEqual([]);
});

it('searches no knowledge that is not meant to be searched', async () => {
  const { talk, searched } = dialogue({ knowledge: { mode: 'none' } });
  expect((await talk.answer('How long does a refund take?')).text).toMatch(/cannot help/);
  expect(searched).toEqual([]);
});

it('ends the call after a farewell, and runs nothing', async () => {
  const { talk, ran, searched } = dialogue();
  expect(await talk.answer('That was all about my order, goodbye!')).toMatchObject({ isLast: true });
  expect([ran, searched]).toEqual([[], []]);
});
