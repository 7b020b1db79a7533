import { describe, expect, it } from '@jest/globals';
import { mail, name, notes, spoken, table } from '../testing/exchanges.js';
import { callFor } from '../testing/setup.js';

describe('the words that recognition is to expect', () => {
  it('expects a yes or no, the choices, or words of the question, for recognition', async () => {
    const seat = { ...notes, id: 'seat', type: 'enum', description: 'Where you sit', required: true };
    const { conversation, say } = callFor(spoken(name, { ...seat, enumValues: ['inside', 'terrace'] }));
    const expected: (string | undefined)[] = [conversation.hint()];
    for (const words of ['Hello', 'Ada Lovelace', 'Yes']) {
      await say(words);
      expected.push(conversation.hint());
    }
    expect(expected).toEqual([undefined, 'your full name', 'Is that right? Yes. No.', 'inside. terrace.']);
  });

  it('expects the whole alphabet, for recognition, where it asks for a word for each letter', async () => {
    const { conversation, say } = callFor(spoken(name));
    for (const words of ['Hello', 'Aida Loveless', 'No.']) await say(words);
    expect(conversation.hint()).toMatch(/^A as in alpha, .* Z as in zulu\.$/);
  });

  it('expects a date, a time or a mail address as people say them, for recognition', async () => {
    const { conversation, say } = callFor(spoken(table, mail));
    const expected: (string | undefined)[] = [];
    for (const words of ['Hello', 'On Tuesday', 'At seven', 'Yes']) {
      await say(words);
      expected.push(conversation.hint());
    }
    expect(expected).toEqual([
      "On Monday at 7 o'clock in the evening. December 4th at half past 3.",
      "At half past 3 in the afternoon. At 10 o'clock in the morning.",
      'Is that right? Yes. No.',
      'nina.mitchell@example.com',
    ]);
  });
});
