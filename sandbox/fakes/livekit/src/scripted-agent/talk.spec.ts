// The record of a call matches the line: the keys that were heard, the sentences that were spoken, and the true end.
import { expect, it } from '@jest/globals';
import { callContext } from '@parlance/contracts';
import { pressed, sines } from '@parlance/fake-kit/tones';
import type { Turn } from '../conversation.js';
import { runtimeConfig } from '../testing/runtime-config.js';
import { heardRate, type Over } from './heard.js';
import { startTalk, type Talk, type TalkOptions } from './talk.js';

const found = runtimeConfig({ agent_language: 'en', firstMessage: 'Hello {{name | there}}.' });
const { agent, config } = found;
const context = callContext({
  callId: 'call-1',
  organizationId: agent.organizationId,
  agentId: agent.id,
  channel: 'phone',
  direction: 'outbound',
  dynamicVariables: { name: 'Ada' },
});

const digits = (keys: string): Int16Array => {
  const { samples } = pressed(keys);
  return samples.filter((_, index) => index % 2 === 0); // 16,000 samples a second to 8,000
};
const silence = new Int16Array(heardRate);

/** A call in which the telephone does something whenever the agent begins a sentence. */
const talk = (
  onSentence: (sentence: number, phone: { hear(samples: Int16Array): void; end(over: Over): void }) => void,
  change: Partial<TalkOptions> = {},
  isThere = true,
): Promise<Talk> => {
  const over = new AbortController();
  let sentences = 0;
  const talking = startTalk({
    config,
    context,
    found,
    answeredAt: new Date(),
    patienceMs: 20,
    voice: async () => ({ samples: new Int16Array(0), sampleRate: heardRate }),
    line: {
      over: over.signal,
      isThere: async () => isThere,
      say: async (_, until) => {
        sentences += 1;
        onSentence(sentences, { hear: talking.hear, end: (reason) => over.abort(reason) });
        if (sentences === 1 && !until.aborted) talking.hear(silence);
      },
    },
    ...change,
  });
  return talking.done;
};

const said = ({ transcript }: Talk): string[] => transcript.map(({ role, text }) => `${role}: ${text}`);

it('writes down the keys that it heard as the words of the telephone, and presses them in its answer', async () => {
  const call = await talk((_, { hear }) => {
    hear(digits('1200'));
    hear(silence);
  });
  expect(said(call)).toEqual(
    expect.arrayContaining(['agent: Hello Ada.', 'user: 1 2 0 0', 'agent: 1 2 0 0']),
  );
  expect(call).toMatchObject({ endedReason: 'agent_hangup', answeredBy: 'human' });
  expect(call.transcript.map(({ seq }) => seq)).toEqual(call.transcript.map((_, index) => index));
});

it('ends with the last keys as media_failure when the line has died without a word', async () => {
  const answeredAt = new Date(Date.now() - 60_000);
  const press: Parameters<typeof talk>[0] = (sentence, { hear }) => {
    if (sentence > 1) return;
    hear(digits('1200'));
    hear(silence);
  };
  const call = await talk(press, { answeredAt }, false);
  const heard = call.transcript.findLast(({ role }) => role === 'user');
  expect(call).toMatchObject({
    endedReason: 'media_failure',
    endedAt: new Date(answeredAt.getTime() + (heard?.endMs ?? 0)),
  });
  expect(await talk(() => undefined, { answeredAt }, false)).toMatchObject({
    ...{ endedReason: 'media_failure', endedAt: answeredAt },
  });
});

const pressesAfterEachSentence: Parameters<typeof talk>[0] = (_, { hear }) => {
  setImmediate(() => {
    hear(digits('1200'));
    hear(silence);
  });
};

const able: Partial<TalkOptions> = {
  patienceMs: 60_000,
  found: {
    tools: [
      {
        ...{ name: 'find_order', description: 'Finds an order.', executionMode: 'immediate' },
        ...{ fillerMessage: null, interruptible: true, timeoutMs: 10_000 },
        parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    ],
    knowledge: { mode: 'auto', prompt: null },
  },
  abilities: {
    runTool: async (_, given) => ({
      result: { sent: given.name as string },
      assignments: {},
      durationMs: 1,
      isError: false,
    }),
    searchKnowledge: async () => [
      {
        ...{
          knowledgeSourceId: '0198c0de-0000-7000-8000-0000000000ac',
          chunkId: 'c1',
          sourceName: 'Refunds',
        },
        ...{ url: null, headings: [], text: 'A refund takes five days.', score: 0.9, start: 0, end: 25 },
      },
    ],
    tell: async () => undefined,
    upload: async () => Promise.reject(new Error('nothing is recorded here')),
  },
};

it('runs the tool of the agent and searches its documents, and tells every turn once', async () => {
  const told: Turn[] = [];
  const call = await talk(pressesAfterEachSentence, { ...able, onTurn: (turn) => told.push(turn) });
  const tool = call.transcript.find(({ role }) => role === 'tool');
  expect(tool?.toolCall).toMatchObject({
    ...{ name: 'find_order', arguments: { name: 'Ada' }, result: { sent: 'Ada' }, status: 'ok' },
  });
  expect(said(call)).toEqual(
    expect.arrayContaining([
      'agent: Yes. The system says: {"sent":"Ada"}',
      'agent: Our documents say: A refund takes five days.',
    ]),
  );
  const sourced = call.transcript.filter(({ sources }) => sources !== undefined && sources.length > 0);
  expect(sourced.map(({ text }) => text)).toEqual(['Our documents say: A refund takes five days.']);
  expect(told.map(({ role, text }) => `${role}: ${text}`).sort()).toEqual(said(call).sort());
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
});

it('does not wait for a tool when the telephone has hung up', async () => {
  const at = new Date();
  const call = await talk(
    (sentence, phone) => {
      pressesAfterEachSentence(sentence, phone);
      if (sentence === 3) setImmediate(() => phone.end({ ending: 'user_hangup', at }));
    },
    { ...able, abilities: { ...able.abilities, runTool: () => new Promise(() => undefined) } as never },
  );
  expect(call).toMatchObject({ endedReason: 'user_hangup', endedAt: at });
});

it('leaves its message after the beep of a voicemail, and says nothing else', async () => {
  const call = await talk((sentence, { hear }) => {
    if (sentence > 1) return;
    hear(sines([1_000], 600, heardRate));
    hear(silence);
  });
  expect(said(call)).toEqual(
    expect.arrayContaining(['agent: Hello Ada.', 'user: (a beep)', 'agent: Please call back.']),
  );
  expect(call.transcript).toHaveLength(3);
  expect(call).toMatchObject({ endedReason: 'voicemail_reached', answeredBy: 'machine_voicemail' });
});

it('ends the call when the telephone says nothing', async () => {
  const call = await talk(() => undefined);
  expect(call).toMatchObject({ endedReason: 'silence_timeout', answeredBy: 'no_speech' });
});

it.each(['user_hangup', 'operator_ended', 'room_lost'] as const)(
  'stops at once and tells when the line ended with %s',
  async (ending) => {
    const at = new Date();
    const call = await talk((_, { end }) => end({ ending, at }));
    expect(call).toMatchObject({ endedReason: ending, endedAt: at });
    expect(said(call)).toEqual(['agent: Hello Ada.']);
  },
);
