// A person asks not to be called again, in each kind of call and with both brains.
import { describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '../dialogue/chat.js';
import type { ConversationEvent } from '../engine/events.js';
import { call, scriptedModel } from './scripted-model.js';
import { callFor, type Setup } from './setup.js';

const outbound = { direction: 'outbound', fromNumber: '+14155550142', toNumber: '+14155550177' } as const;
const request = 'Please stop calling me.';
const name = { id: 'full_name', type: 'string', description: "The caller's full name", required: true };

const talk = (setup: Setup, answers?: Parameters<typeof scriptedModel>[0]) => {
  const model = answers && scriptedModel(answers);
  return { ...callFor({ ...setup, ...(model && { model }) }), model };
};
const wordsOf = (events: readonly ConversationEvent[]) =>
  events.flatMap((event) => (event.type === 'say' ? [event.delta] : [])).join('');
const endOf = (events: readonly { readonly type: string }[]) => events.find(({ type }) => type === 'end');

describe('rules', () => {
  it.each([
    ['en-US', request, 'I am sorry for the disturbance. We will not call you again. Goodbye.'],
    ['de-AT', 'Rufen Sie mich nicht mehr an.', /Wir rufen Sie nicht mehr an\. Auf Wiederhören\.$/],
    ['es', 'No me llame más.', /No le llamaremos más\. Adiós\.$/],
    ['fr', 'Ne m’appelez plus.', /Nous ne vous appellerons plus\. Au revoir\.$/],
    ['it', 'Non mi chiami più.', /Non la chiameremo più\. Arrivederci\.$/],
    ['pt-BR', 'Não me ligue mais.', /Não voltaremos a ligar\. Adeus\.$/],
    ['nl', 'Bel me niet meer.', /We bellen u niet meer\. Tot ziens\.$/],
    ['pl', request, /We will not call you again\. Goodbye\.$/],
  ])('confirm it in %s, and end a call that the platform has made', async (language, text, answer) => {
    const { conversation, events, optOuts } = talk({
      config: { agent_language: language },
      context: outbound,
    });
    const all = await events(text);
    expect(all).toContainEqual({ type: 'end', reason: 'agent_hangup' });
    expect(conversation.history.at(-1)?.text).toEqual(
      typeof answer === 'string' ? answer : expect.stringMatching(answer),
    );
    expect([optOuts.length, conversation.hasOptedOut]).toEqual([1, true]);
  });

  it('confirm it to a caller, return to the question that was open, and record it once', async () => {
    const { say, optOuts, conversation } = talk({ config: { data_needed: [name] } });
    await say('Hello');
    const answer = 'All right, we will not call you again. Could you tell me your full name?';
    expect(await say("Before that: don't call me again.")).toBe(answer);
    expect(await say(request)).toBe(answer);
    expect([optOuts.length, conversation.hasOptedOut]).toEqual([1, true]);
  });

  it('leave it to the hand-over when the platform does not answer, and request it again the next time', async () => {
    const { say, optOuts, conversation } = talk({ optOutFails: true });
    expect(await say(request)).toMatch(/we will not call you again/);
    await say(request);
    expect([optOuts.length, conversation.hasOptedOut]).toEqual([2, true]);
  });

  it.each([null, '', 'anonymous'])(
    'promise nothing about a number that is withheld as %j',
    async (fromNumber) => {
      const { say, optOuts, conversation } = talk({ context: { fromNumber } });
      expect(await say(request)).toMatch(/^Your number is not shown to us/);
      expect([optOuts, conversation.hasOptedOut]).toEqual([[], false]);
    },
  );

  it.each(['widget', 'preview'] as const)('find no request in a conversation of a %s', async (channel) => {
    const { events, optOuts, conversation } = talk({ context: { channel, fromNumber: null } });
    expect(endOf(await events(request))).toBeUndefined();
    expect([optOuts, conversation.hasOptedOut]).toEqual([[], false]);
  });

  it('do not take another sentence for it', async () => {
    const { say, optOuts } = talk({ context: outbound });
    await say("Don't call me a liar. Call me tomorrow.");
    expect(optOuts).toEqual([]);
  });
});

describe('a language model', () => {
  const toolsOf = (model: ReturnType<typeof scriptedModel> | undefined) =>
    (model?.requests.at(-1)?.tools ?? []).map((tool) => tool.name);
  const instructions = (model: ReturnType<typeof scriptedModel> | undefined) =>
    String(model?.requests.at(-1)?.messages[0]?.content);

  it.each([
    ['inbound', {}],
    ['outbound', outbound],
  ])('records by its tool what only it has understood in an %s call', async (_, context) => {
    const { events, optOuts, conversation, model } = talk({ context }, [
      [call('do_not_call')],
      ['You will not be called again.', call('end_call')],
    ]);
    const all = await events('Just leave me alone from now on, will you');
    expect(endOf(all)).toEqual({ type: 'end', reason: 'agent_hangup' });
    expect([optOuts.length, conversation.hasOptedOut]).toEqual([1, true]);
    expect(model?.requests.at(-1)?.messages.at(-1)?.content).toContain(
      'The number will not be called again.',
    );
  });

  it('is not needed for a plain request, and is instructed to confirm it', async () => {
    const { say, optOuts, model } = talk({}, [['Understood.']]);
    await say(request);
    expect(optOuts).toHaveLength(1);
    expect(instructions(model)).toContain(
      'has just asked not to be called again. It is recorded: confirm it',
    );
    await say('When do you open?');
    expect(instructions(model)).not.toContain('has just asked');
    expect(optOuts).toHaveLength(1);
  });

  const farewell = 'I am sorry for the disturbance. We will not call you again. Goodbye.';
  const failure: ChatEvent = {
    type: 'error',
    endpointId: 'a',
    reason: 'timeout',
    status: undefined,
    textLength: 0,
  };

  it.each<[string, string, Parameters<typeof scriptedModel>[0], string]>([
    ['continues to sell', request, [['But we have an offer!']], `But we have an offer! ${farewell}`],
    ['says nothing', request, [[]], farewell],
    ['hangs up without a word', request, [[call('end_call')]], farewell],
    ['gives no answer', request, [[failure]], farewell],
    ['continues after its tool', 'Leave me be.', [[call('do_not_call')], ['Wait!']], `Wait! ${farewell}`],
    ['confirms it and hangs up', request, [['We will not. Bye.', call('end_call')]], 'We will not. Bye.'],
  ])('which %s ends an outbound call with a confirmation', async (_, text, answers, words) => {
    const { events, conversation, optOuts } = talk({ context: outbound }, answers);
    const all = await events(text);
    expect(wordsOf(all)).toBe(words);
    expect(all.at(-1)).toEqual({ type: 'end', reason: 'agent_hangup' });
    expect(conversation.history.at(-1)?.text).toBe(words);
    expect([conversation.isOver, optOuts.length]).toEqual([true, 1]);
  });

  it('continues to answer a caller who asked for it', async () => {
    const { events, conversation } = talk({}, [[], ['At nine.']]);
    expect(wordsOf(await events(request))).toBe('All right, we will not call you again.');
    const all = await events('When do you open?');
    expect([wordsOf(all), endOf(all), conversation.isOver]).toEqual(['At nine.', undefined, false]);
  });

  it('does not lose the request when its answer is interrupted', async () => {
    const { conversation, optOuts } = talk({ context: outbound }, [['Understood.']]);
    const interruption = new AbortController();
    interruption.abort();
    const answer = conversation.answer(request, { signal: interruption.signal });
    await expect(answer.next()).rejects.toThrow();
    expect([optOuts.length, conversation.hasOptedOut]).toEqual([1, true]);
  });

  it('has no such tool without a telephone number', async () => {
    const { say, optOuts, model } = talk({ context: { channel: 'widget', fromNumber: null } }, [['Yes.']]);
    await say(request);
    expect(toolsOf(model)).not.toContain('do_not_call');
    expect(optOuts).toEqual([]);
  });
});

describe('an interrupted confirmation', () => {
  it.each([
    ['rules', undefined],
    ['a language model', [['Of course, I will see to it.']]],
  ])('is repeated by %s, and nothing else is answered', async (_, answers) => {
    const { conversation, events } = talk({ config: { data_needed: [name] }, context: outbound }, answers);
    for await (const event of conversation.answer(request)) if (event.type === 'say') break;
    conversation.heard({ spokenText: 'I am', interrupted: true });
    const all = await events('And who are you anyway?');
    expect(wordsOf(all)).toBe('I am sorry for the disturbance. We will not call you again. Goodbye.');
    expect(all.at(-1)).toEqual({ type: 'end', reason: 'agent_hangup' });
  });
});
