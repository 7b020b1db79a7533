import { describe, expect, it } from '@jest/globals';
import { scriptedModel } from './scripted-model.js';
import { callFor } from './setup.js';

describe('a conversation', () => {
  it('opens with the first message of the call, with its variables', () => {
    const { conversation } = callFor({
      config: { firstMessage: 'Hi {{name | there}}, {{product | all}} is fine.' },
      variables: { name: 'Ada' },
    });
    expect(conversation.opening()).toBe('Hi Ada, all is fine.');
    expect(conversation.history).toMatchObject([{ role: 'agent', text: 'Hi Ada, all is fine.' }]);
  });

  it('has in its history what was heard of an answer, and sends the model that', async () => {
    const model = scriptedModel([['We open at nine and close at five.'], ['Yes.']]);
    const { conversation, say } = callFor({ model });
    await say('When do you open?');
    conversation.heard({ spokenText: 'We open at nine', interrupted: true });
    await say('Also on Sunday?');
    const sent = model.requests[1]?.messages.map(({ content }) => content).join('\n');
    expect(sent).toContain('We open at nine [interrupted');
    expect(sent).not.toContain('close at five');
  });

  it('keeps what was said until then of an answer whose reader leaves', async () => {
    const { conversation } = callFor({ model: scriptedModel([['One. ', 'Two. ', 'Three. ']]) });
    for await (const event of conversation.answer('Count')) if (event.type === 'say') break;
    expect(conversation.history.at(-1)).toMatchObject({ text: 'One. ', interrupted: true });
  });

  it('ends an answer that is under way when the next words come', async () => {
    const { conversation, say } = callFor({ model: scriptedModel([['One. ', 'Two. '], ['Other.']]) });
    const first = conversation.answer('Count');
    await first.next();
    expect(await say('Stop')).toBe('Other.');
    expect((await first.next()).done).toBe(true);
    expect(conversation.history.map(({ text }) => text)).toEqual(['Count', 'One. ', 'Stop', 'Other.']);
  });

  it('says in its turn which model answered in place of which, and how long the first words took', async () => {
    const fellBack = { from: 'openai/gpt-4.1-mini', to: 'groq/b', reason: 'timeout' } as const;
    const model = scriptedModel([[{ type: 'fellBack', ...fellBack }, 'Yes.']]);
    const turns = (await callFor({ model }).events('Open?')).flatMap((event) =>
      event.type === 'turn' ? [event.turn] : [],
    );
    expect(turns).toMatchObject([
      {
        model: 'groq/b',
        fallbacks: [{ kind: 'llm', ...fellBack }],
        timings: { firstTokenMs: expect.any(Number) },
      },
    ]);
    const byRules = (await callFor({}).events('Open?')).find(({ type }) => type === 'turn');
    expect(byRules).toMatchObject({ turn: { model: null, fallbacks: [] } });
  });

  it('takes up a conversation of another replica', async () => {
    const model = scriptedModel([['Yes.']]);
    const { conversation, say } = callFor({ model });
    conversation.resume([
      { role: 'agent', text: 'Hello.' },
      { role: 'user', text: 'I am Ada.' },
    ]);
    await say('Do you know my name?');
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'assistant',
      'user',
      'user',
    ]);
  });

  it('shows in a transcript the beginning of a long result of a tool', async () => {
    const { events } = callFor({
      tools: [{ name: 'weather_report', description: 'Weather report.' }],
      results: { weather_report: 'sun '.repeat(3_000) },
    });
    const turn = (await events('The weather report, please')).find(({ type }) => type === 'tool');
    expect(JSON.stringify(turn).length).toBeLessThan(5_000);
  });
});
