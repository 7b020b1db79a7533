import { describe, expect, it } from '@jest/globals';
import { data, followsScript, name, phone, size, spoken, table } from '../testing/exchanges.js';
import { callFor } from '../testing/setup.js';

describe('the rules, of questions and their answers', () => {
  followsScript([
    [
      'reads a telephone number back, and takes its correction',
      data(phone),
      [
        ['Hello', 'Could you tell me your phone number?'],
        ['It is 415 555 0123', 'I understood + 1 4 1 5 5 5 5 0 1 2 3. Is that right?'],
        ['No, it is 415 555 0124', 'I understood + 1 4 1 5 5 5 5 0 1 2 4. Is that right?'],
        ['Yes', /^Thank you, I have everything/],
      ],
    ],
    [
      'asks for the day again when the person denies it in the question for the time',
      spoken(table),
      [
        ['Hello', 'Could you tell me when the table is needed?'],
        ['On Tuesday', 'And at what time on Tuesday, December 1, 2026?'],
        ['No.', /Could you tell me once more when the table is needed\?$/],
        ['On Monday at seven', 'I understood Monday, November 30, 2026 at 19:00. Is that right?'],
      ],
    ],
    [
      'does not offer a value again that was denied, unless it is heard a third time',
      spoken(phone),
      [
        ['Hello', 'Could you tell me your phone number?'],
        ['415 555 0123', /^I understood/],
        ['No.', /with the keys of your telephone/],
        ['415 555 0123', /with the keys of your telephone/],
        ['415 555 0123', /^I understood/],
      ],
    ],
    [
      'asks again when a number was understood wrongly, and continues after the second time',
      data(size, name),
      [
        ['Hello', 'Could you tell me the number of people?'],
        ['four', 'I understood 4. Is that right?'],
        ['No', 'I am sorry. Could you tell me once more the number of people?'],
        ['five', 'I understood 5. Is that right?'],
        ['No', 'Never mind, let us go on. Could you tell me your full name?'],
      ],
    ],
    [
      'answers a question in the middle, and then asks its own again',
      data(name, size),
      [
        ['Hello', 'Could you tell me your full name?'],
        [
          'How long does a refund take?',
          'Our documents say: A refund takes five days. Could you tell me your full name?',
        ],
        ['Ada Lovelace', 'Could you tell me the number of people?'],
        [
          'Four. But how long does a refund take?',
          'Our documents say: A refund takes five days. I understood 4. Is that right?',
        ],
        [
          'How long does a refund take?',
          'Our documents say: A refund takes five days. I understood 4. Is that right?',
        ],
        ['Yes', /^Thank you, I have everything/],
      ],
    ],
    [
      'has the answer spelled when the same misheard question comes in its place again',
      spoken(name),
      [
        ['Hello', 'Could you tell me your full name?'],
        [
          'How long or huge?',
          'Our documents say: A refund takes five days. Could you tell me your full name?',
        ],
        ['How long or huge?', /spell/],
      ],
    ],
    [
      'repeats its question for a person who did not hear it',
      data(name),
      [
        ['Hello', 'Could you tell me your full name?'],
        ['Pardon?', 'Could you tell me your full name?'],
        ['Ada Lovelace', /^Thank you/],
      ],
    ],
    [
      'asks for the time where only the day was said',
      data(table),
      [
        ['Hello', 'Could you tell me when the table is needed?'],
        ['Next Friday', 'And at what time on Friday, December 4, 2026?'],
        ['At seven pm', 'I understood Friday, December 4, 2026 at 19:00. Is that right?'],
      ],
    ],
  ]);

  it('asks again when an interruption cut its question off', async () => {
    const { conversation, say } = callFor(data(name, size));
    await say('Hello');
    conversation.heard({ spokenText: 'Could you', interrupted: true });
    expect(await say('Ada Lovelace')).toBe('Could you tell me your full name?');
    conversation.heard({ spokenText: 'Could you tell me your full name?', interrupted: true });
    expect(await say('Ada Lovelace')).toBe('Could you tell me the number of people?');
  });
});
