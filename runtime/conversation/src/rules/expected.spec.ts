import { describe, expect, it } from '@jest/globals';
import { name, phone } from '../testing/exchanges.js';
import { callFor } from '../testing/setup.js';

describe('the sentences that an agent is expected to say', () => {
  it('cover everything that rules say in a conversation but the values', async () => {
    const call = callFor({ config: { data_needed: [name, phone] } });
    const expected = call.conversation.expected();
    expect(expected.every(({ isShared }) => isShared)).toBe(true);
    const said: string[] = [];
    for (const text of ['Hello', 'Ada Lovelace', 'Yes', '???', '415 555 0123', 'Yes', 'No, thanks'])
      said.push(await call.say(text));
    let rest = said.join(' ');
    for (const { text } of expected) rest = rest.replaceAll(text, '');
    expect(rest.replaceAll(/\s+/g, ' ').trim()).toBe(
      'I understood Ada Lovelace, A D A L O V E L A C E. I understood + 1 4 1 5 5 5 5 0 1 2 3.',
    );
  });

  it('begin with what is said first', () => {
    const [first] = callFor({ config: { data_needed: [name] } }).conversation.expected();
    expect(first?.text).toBe('Could you tell me your full name?');
  });

  it('have the filler of a tool, which is shared by calls unless a variable stands in it', () => {
    const tools = [
      { name: 'plain', fillerMessage: 'One moment, please.' },
      { name: 'personal', fillerMessage: 'One moment, {{name}}.' },
    ];
    const { conversation } = callFor({ tools, variables: { name: 'Ada' } });
    expect(conversation.expected().slice(0, 2)).toEqual([
      { text: 'One moment, please.', isShared: true },
      { text: 'One moment, Ada.', isShared: false },
    ]);
  });

  it('share the first message between calls only when it has no variable', () => {
    const isShared = (firstMessage: string) =>
      callFor({ config: { firstMessage } }).conversation.isOpeningShared;
    expect([isShared('Good day.'), isShared('Good day, {{name | friend}}.')]).toEqual([true, false]);
  });
});
