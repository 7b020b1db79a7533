import { describe, expect, it } from '@jest/globals';
import {
  data,
  documents,
  followsScript,
  name,
  notes,
  order,
  phone,
  size,
  spoken,
  table,
} from '../testing/exchanges.js';
import { callFor } from '../testing/setup.js';

describe('the order of questions and tools', () => {
  followsScript([
    [
      'asks for the required fields first, and then for the others',
      data(notes, name),
      [
        ['I would like a table.', 'Could you tell me your full name?'],
        ['Ada Lovelace', 'Could you tell me anything the restaurant should know?'],
        ['No allergies', /^Thank you, I have everything/],
        ['No, thanks.', 'Thank you, and goodbye.'],
      ],
    ],
    [
      'does not come back to a value that the person does not want to say',
      spoken(phone),
      [
        ['Hello', 'Could you tell me your phone number?'],
        ["I'd rather not say", /with the keys of your telephone/],
        ["I'd rather not say", /^Never mind, let us go on. Thank you, I have everything/],
      ],
    ],
    [
      'comes back to a value that was misheard when everything else is known',
      spoken(name, notes),
      [
        ['Hello', 'Could you tell me your full name?'],
        ['7 8', /Please spell the first name/],
        ['7 8', /Please spell the first name/],
        ['7 8', /Please spell the first name/],
        ['7 8', 'Never mind, let us go on. Could you tell me anything the restaurant should know?'],
        [
          'No allergies',
          'Let me come back to one question. I am sorry. Please spell the first name with a word for each letter, such as A as in Alpha.',
        ],
        ['A as in alpha, D as in delta, A as in alpha', /spell the last name/],
        ['K-O-C-H', /^I understood Ada Koch, /],
        ['Yes.', /^Thank you, I have everything/],
      ],
    ],
    [
      'continues without a value after two answers that hold none',
      data(size, name),
      [
        ['Hello', 'Could you tell me the number of people?'],
        ['Some of my friends', /did not understand that. Could you tell me once more the number of people/],
        ['My friends', 'Never mind, let us go on. Could you tell me your full name?'],
      ],
    ],
    [
      'runs a tool in the middle, and then asks its own question again',
      { ...data(name), tools: [order], results: { order_status: { state: 'sent' } } },
      [
        ['Hello', 'Could you tell me your full name?'],
        ['Where is my order A-1001?', 'The system says: state sent. Could you tell me your full name?'],
      ],
    ],
    [
      'confirms what was said before it was asked',
      data(name, table),
      [
        [
          'Hi, my name is Ada Lovelace, a table for tomorrow at 7 pm please',
          /^For "your full name" I understood Ada Lovelace/,
        ],
        [
          'Yes',
          'For "when the table is needed" I understood Saturday, November 28, 2026 at 19:00. Is that right?',
        ],
        ['Yes', /^Thank you, I have everything/],
      ],
    ],
    [
      'skips an optional field that the person does not want to answer',
      data(name, notes),
      [
        ['Hello', 'Could you tell me your full name?'],
        ['Ada Lovelace', 'Could you tell me anything the restaurant should know?'],
        ["I'd rather not say", /^Never mind, let us go on. Thank you, I have everything/],
      ],
    ],
    [
      'asks for what a tool needs, and runs it with the answer',
      { ...documents, tools: [order], results: { order_status: 'It was sent.' } },
      [
        ['Where is my order?', 'Could you tell me the order id?'],
        ['It is 4711', 'The system says: It was sent.'],
      ],
    ],
    [
      'says a filler first, and that a tool failed',
      {
        tools: [{ ...order, fillerMessage: 'One moment.' }],
        results: { order_status: new Error('refused') },
      },
      [['The order A-1, please', 'One moment. I am sorry, the system gives me no answer.']],
    ],
  ]);

  it('runs the tool that all the data was collected for, with that data and once', async () => {
    const book = {
      name: 'book_table',
      description: 'Books a table.',
      parameters: {
        type: 'object',
        properties: { fullName: { type: 'string' }, party_size: { type: 'integer' } },
        required: ['fullName', 'party_size'],
      },
    };
    const { say, ran } = callFor({
      ...data(name, size),
      tools: [order, book],
      results: { book_table: { message: 'Booked.' } },
    });
    for (const words of ['Hello', 'Ada Lovelace', 'four']) await say(words);
    expect(await say('Yes')).toMatch(/^The system says: Booked\. Thank you, I have everything/);
    await say('Yes');
    expect(ran).toEqual([['book_table', { fullName: 'Ada Lovelace', party_size: 4 }]]);
  });

  it('takes an argument from a variable of the call, and runs no tool that needs a list', async () => {
    const { say, ran } = callFor({
      tools: [
        order,
        {
          name: 'order_many',
          description: 'Order many things at once: an order with orders.',
          parameters: { type: 'object', properties: { ids: { type: 'array' } }, required: ['ids'] },
        },
      ],
      variables: { orderId: 'A-7' },
    });
    await say('Where is my order?');
    expect(ran).toEqual([['order_status', { orderId: 'A-7' }]]);
  });
});
