import { describe, expect, it } from '@jest/globals';
import { callFor, type Setup, sourceId } from './setup.js';

const order = {
  name: 'order_status',
  description: 'Tells how far an order is.',
  parameters: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] },
};
const documents: Setup = {
  documents: ['A refund takes five days.'],
  knowledge: { mode: 'auto', prompt: null },
};
const name = { id: 'full_name', type: 'string', description: "The caller's full name", required: true };
const phone = { id: 'phone', type: 'string', description: 'Phone number of the caller', required: true };
const size = { id: 'party_size', type: 'integer', description: 'Number of people', required: true };
const table = { id: 'table_slot', type: 'string', description: 'When the table is needed', required: true };
const day = { id: 'day', type: 'string', description: 'Day of the visit', required: true };
const notes = { id: 'notes', type: 'string', description: 'Anything the restaurant should know' };
const data = (...data_needed: readonly object[]): Setup => ({
  ...documents,
  mode: 'text',
  config: { data_needed, timezone: 'America/New_York' },
});
const german = (...data_needed: readonly object[]): Setup => ({
  ...documents,
  mode: 'text',
  config: { data_needed, agent_language: 'de-DE', timezone: 'Europe/Berlin' },
});

/** The same for a person who speaks. */
const spoken = (...data_needed: readonly object[]): Setup => ({ ...data(...data_needed), mode: 'voice' });

/** What the caller says, and what the agent answers. */
type Exchange = readonly [string, string | RegExp];

const conversations: readonly (readonly [string, Setup, readonly Exchange[]])[] = [
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
    'reads a name back that was spoken, and has it spelled when it was misheard',
    spoken(name),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Aida Loveless', /^I understood Aida Loveless, A I D A L O V E L E S S\. Is that right\?$/],
      ['No.', 'I am sorry. Please spell the first name with a word for each letter, such as A as in Alpha.'],
      ['A-D-A, L-O-V-E-L-A-S-E.', /^I understood Ada Lovelase, A D A L O V E L A S E\. Is that right\?$/],
      ['No.', /spell the first name with a word for each letter, such as A as in Alpha\.$/],
      [
        'A as in Alpha, B as in delta, A as in alpha. L as in Lima, O as in Oscar, V as in Victor, E as in echo, L as in Lima, A as in Alpha, C as in Charlie, B as in echo.',
        /^I understood Ada Lovelace, A D A L O V E L A C E\. Is that right\?$/,
      ],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'has the first name spelled and then the last, so that the gap between them is known',
    spoken(name),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Nun Asker', /Is that right\?$/],
      ['No.', /Please spell the first name/],
      [
        'J as in Juliett, O as in Oscar, N as in November, H as in Alpha, S as in Sierra',
        /spell the last name/,
      ],
      ['…', 'Thank you. Now please spell the last name with a word for each letter.'],
      ['K-O-C-H', 'I understood Jonas Koch, J O N A S K O C H. Is that right?'],
      ['No.', /Please spell the first name/],
      ['R O. B E R T.', /spell the last name/],
      ['Robert Koch', /^I understood Robert Koch, /],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'offers a spelled name that is heard again with the other part as it was heard at first',
    spoken(name),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Marie Korre', /Is that right\?$/],
      ['No.', /Please spell the first name/],
      ['M-A-R-J-I-E', /spell the last name/],
      ['K-O-C-H', /^I understood Marjie Koch, /],
      ['No.', /Please spell the first name/],
      ['M-A-R-J-I-E', /spell the last name/],
      ['K-O-C-H', /^I understood Marie Koch, /],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'has a surname alone spelled at once',
    spoken({ ...name, id: 'surname', description: "The caller's last name" }),
    [
      ['Hello', 'Could you tell me your last name?'],
      ['Kors', /Is that right\?$/],
      ['No.', 'I am sorry. Please spell your last name for me, letter by letter.'],
      ['K-O-C-H', /^I understood Koch, /],
    ],
  ],
  [
    'takes no word that is neither yes nor no for another name, and has its question answered with a key',
    spoken(name),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Ada Lovelace', /Is that right\?$/],
      ['Yasuo', /^I am sorry, I did not understand that\. I have Ada Lovelace, .* yes or no\?$/],
      ['Yasuo', /Please press 1 on your telephone if that is right, and 2 if it is not\.$/],
      ['1', /^Thank you, I have everything/],
    ],
  ],
  [
    'takes a voice without words for an answer that was not understood, and asks for keys in the end',
    spoken(phone, size),
    [
      ['…', 'Could you tell me your phone number?'],
      ['…', 'I am sorry. Please enter your phone number with the keys of your telephone.'],
      ['4 1 5 5 5 5 0 1 2 3', /Is that right\?$/],
      ['…', /yes or no\?$/],
      ['…', /Please press 1 on your telephone if that is right, and 2 if it is not\.$/],
      ['1', 'Could you tell me the number of people?'],
      ['…', 'I am sorry, I did not understand that. Could you tell me once more the number of people?'],
      ['…', 'I am sorry. Please enter the number of people with the keys of your telephone.'],
      ['4', 'I understood 4. Is that right?'],
      ['Yes.', /^Thank you, I have everything/],
      ['…', 'I am sorry, I did not understand that.'],
    ],
  ],
  [
    'finds the gap in letters that were spelled without one',
    spoken(name),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Aida Love Lays', /Is that right\?$/],
      ['No.', /Please spell the first name/],
      ['A-D-A-L-O-V-E-L-A-S-E', /^I understood Ada Lovelase, /],
      ['No.', /with a word for each letter/],
      ['A-D-A-L-O-V-E-L-A-C-E', /^I understood Ada Lovelace, /],
      ['Yes, exactly.', /^Thank you, I have everything/],
    ],
  ],
  [
    'moves the gap between two names to where it is the most like what was heard before',
    spoken(name),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Mary Mosul', /Is that right\?$/],
      ['No.', /Please spell the first name/],
      ['M-A-R-Y-M-A-R-S-H, A L L', /^I understood Mary Marshall, /],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'takes a word among letters for no question, and a part of a mail address for no farewell',
    spoken(name, { id: 'email', type: 'string', description: 'Email address', required: true }),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Mary Mosul', /Is that right\?$/],
      ['No.', /Please spell the first name/],
      ['Why muscle M. A.', /^I am sorry. Please spell/],
      ['Mary Marshall', /^I understood Mary Marshall, /],
      ['Yes.', 'Could you tell me the email address?'],
      ['They will I see you at gmail.com', 'I understood williseeyou@gmail.com. Is that right?'],
      ['Okay, see you later.', 'Thank you, and goodbye.'],
    ],
  ],
  [
    'has a number keyed in that was not understood twice',
    spoken(size),
    [
      ['Hello', 'Could you tell me the number of people?'],
      ['or night', /did not understand that/],
      ['or night', 'I am sorry. Please enter the number of people with the keys of your telephone.'],
      ['1 2', 'I understood 12. Is that right?'],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'offers keys for a choice that was not understood twice',
    spoken({
      ...notes,
      id: 'seat',
      type: 'enum',
      description: 'Where you sit',
      enumValues: ['inside', 'terrace'],
    }),
    [
      ['Hello', /You can choose inside or terrace\?$|You can choose inside or terrace\.$/],
      ['In sight', /Could you tell me once more/],
      ['In sight', /press 1 for inside, 2 for terrace\.$/],
      ['2', /^Thank you, I have everything/],
    ],
  ],
  [
    'has a number keyed in that it does not understand when it is spoken',
    spoken(phone),
    [
      ['Hello', 'Could you tell me your phone number?'],
      ['Four fifty', 'I am sorry. Please enter your phone number with the keys of your telephone.'],
      ['4 1 5 5 5 5 0 1 2 3', 'I understood + 1 4 1 5 5 5 5 0 1 2 3. Is that right?'],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'has a day keyed in that was misheard twice, the month before the day',
    spoken(day),
    [
      ['Hello', 'Could you tell me the day of the visit?'],
      ['The Femme of I', /Could you tell me once more the day of the visit\?$/],
      [
        'The Femme of I',
        'I am sorry. Please enter the day of the visit with the keys of your telephone: two digits for the month and two for the day.',
      ],
      ['1 3 4 0', /with the keys of your telephone/],
      ['1 2 0 9', 'I understood Wednesday, December 9, 2026. Is that right?'],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'has a date of birth keyed in with its year',
    spoken({ ...day, id: 'date_of_birth', description: 'Date of birth' }),
    [
      ['Hello', 'Could you tell me the date of birth?'],
      ['Some spring', /once more/],
      ['April', /two digits for the month, two for the day and four for the year\.$/],
      ['0 2 2 9 1 9 8 8', 'I understood Monday, February 29, 1988. Is that right?'],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'has day and time keyed in apart where both were misheard',
    spoken(table),
    [
      ['Hello', 'Could you tell me when the table is needed?'],
      ['The Biggs', /once more/],
      ['The Biggs', /two digits for the month and two for the day\.$/],
      ['1 2 0 6', /^And at what time on Sunday, December 6, 2026\? Please enter it with the keys/],
      [
        'Heaven',
        'I am sorry. Please enter the time with the keys of your telephone: two digits for the hour, from 00 to 23, and two for the minutes.',
      ],
      ['1 9 3 0', 'I understood Sunday, December 6, 2026 at 19:30. Is that right?'],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'has the time keyed in after a day that was, and does so a few times at most',
    spoken(table, size),
    [
      ['Hello', 'Could you tell me when the table is needed?'],
      ['The Biggs', /once more/],
      ['The Biggs', /two digits for the month and two for the day\.$/],
      [
        '1 2 0 6',
        'And at what time on Sunday, December 6, 2026? Please enter it with the keys of your telephone: two digits for the hour, from 00 to 23, and two for the minutes.',
      ],
      ['At seven', /19:00\. Is that right\?$/],
      ['No.', /two digits for the month and two for the day\.$/],
      ['1 2 0 6', /^And at what time/],
      ['At eight', /20:00\. Is that right\?$/],
      ['No.', 'Never mind, let us go on. Could you tell me the number of people?'],
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
    'takes keys for the truth even where their value was denied',
    spoken(size),
    [
      ['Hello', 'Could you tell me the number of people?'],
      ['four', 'I understood 4. Is that right?'],
      ['No.', /once more/],
      ['or', /with the keys of your telephone/],
      ['4', 'I understood 4. Is that right?'],
    ],
  ],
  [
    'finds the dot of a mail address, and its sign, where they were lost among the letters',
    spoken({ id: 'email', type: 'string', description: 'Email address', required: true }),
    [
      ['Hello', 'Could you tell me the email address?'],
      ['ada.lofeless at example.org', 'I understood ada.lofeless@example.org. Is that right?'],
      ['No.', /Please spell the email address for me, letter by letter/],
      ['A-D-A-L-O-V-E-L-A-S-E at example.org', 'I understood ada.lovelase@example.org. Is that right?'],
      ['No.', /with a word for each letter/],
      [
        'A as in alpha, D as in delta, A as in alpha, L as in lima, O as in oscar, V as in victor, E as in echo, L as in lima, A as in alpha, C as in charlie, E as in echo, T as in example, dot org.',
        'I understood ada.lovelace@example.org. Is that right?',
      ],
      ['Yes.', /^Thank you, I have everything/],
    ],
  ],
  [
    'keeps the domain of a mail address where only the part before the sign is spelled',
    spoken({ id: 'email', type: 'string', description: 'Email address', required: true }),
    [
      ['Hello', 'Could you tell me the email address?'],
      ['Nick at example.org', 'I understood nick@example.org. Is that right?'],
      ['No.', /Please spell the email address/],
      ['N I C as in Charlie', /^I understood nic@example\.org/],
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
    'asks again when a number was understood wrongly, and goes on after the second time',
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
    'goes on without a value after two answers that hold none',
    data(size, name),
    [
      ['Hello', 'Could you tell me the number of people?'],
      ['Some of my friends', /did not understand that. Could you tell me once more the number of people/],
      ['My friends', 'Never mind, let us go on. Could you tell me your full name?'],
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
    'runs a tool in the middle, and then asks its own question again',
    { ...data(name), tools: [order], results: { order_status: { state: 'sent' } } },
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Where is my order A-1001?', 'The system says: state sent. Could you tell me your full name?'],
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
    'reads a spelled name back by its letters',
    data(name),
    [
      ['Hello', 'Could you tell me your full name?'],
      ['Smith, S M I T H', /^I understood Smith, S M I T H\. Is that right\?$/],
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
    'speaks German',
    german(
      { id: 'name', type: 'string', description: 'Name des Kunden', required: true },
      { id: 'personen', type: 'integer', description: 'Zahl der Personen', required: true },
    ),
    [
      ['Guten Tag', 'Können Sie mir bitte sagen: Name?'],
      [
        'Wie lange dauert eine Erstattung?',
        /^In unseren Unterlagen steht: .* Können Sie mir bitte sagen: Name\?$/,
      ],
      ['Anna Müller', 'Können Sie mir bitte sagen: Zahl der Personen?'],
      ['vier', 'Ich habe 4 verstanden. Ist das richtig?'],
      ['Ja', /^Vielen Dank, ich habe alles/],
      ['Nein danke', 'Vielen Dank, und auf Wiederhören.'],
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
    { tools: [{ ...order, fillerMessage: 'One moment.' }], results: { order_status: new Error('refused') } },
    [['The order A-1, please', 'One moment. I am sorry, the system gives me no answer.']],
  ],
  [
    'looks everything else up, and says so when nothing is found',
    { knowledge: { mode: 'auto', prompt: null } },
    [['How long does a refund take?', 'I am sorry, our documents say nothing about that.']],
  ],
  [
    'answers from the paragraph of the prompt that has the words of the question',
    { knowledge: { mode: 'prompt', prompt: 'We open at nine.\n\nA refund takes five days.' } },
    [
      ['How long does a refund take?', 'Our documents say: A refund takes five days.'],
      ['Who is the president?', 'I am sorry, our documents say nothing about that.'],
    ],
  ],
  [
    'reads a paragraph by the words of its heading, and searches what the prompt does not have',
    {
      knowledge: { mode: 'auto', prompt: '# Parking\n\nBehind the house.\n\n# Hours\n\nNine to five.' },
      documents: ['A refund takes five days.'],
    },
    [
      ['Where is your parking?', 'Our documents say: Behind the house.'],
      ['How long does a refund take?', 'Our documents say: A refund takes five days.'],
    ],
  ],
  [
    'cannot help without documents, and greets a greeting',
    {},
    [
      ['How long does a refund take?', 'I am sorry, I cannot help with that.'],
      ['Hello', 'How can I help you?'],
      ['That was all, goodbye!', 'Thank you, and goodbye.'],
    ],
  ],
];

describe('the rules brain', () => {
  it.each(conversations)('%s', async (_, setup, exchanges) => {
    const { say } = callFor(setup);
    for (const [words, answer] of exchanges) {
      const said = await say(words);
      if (typeof answer === 'string') expect(said).toBe(answer);
      else expect(said).toMatch(answer);
    }
  });

  it.each(conversations)(
    '%s, also when another replica answers each sentence',
    async (_, setup, exchanges) => {
      const { conversation, say } = callFor(setup);
      for (const [words, answer] of exchanges) {
        const replica = callFor(setup);
        replica.conversation.resume(conversation.history);
        const said = await replica.say(words);
        expect(await say(words)).toBe(said);
        if (typeof answer === 'string') expect(said).toBe(answer);
      }
    },
  );

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
    const mail = { id: 'email', type: 'string', description: 'Email address', required: true };
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

  it('collects values with the words that they came from', async () => {
    const { conversation, say } = callFor(data(name, size));
    for (const words of ['Hello', 'It is Ada Lovelace', 'There are four of us', 'Yes']) await say(words);
    expect(conversation.collected()).toEqual({
      full_name: { value: 'Ada Lovelace', quote: 'Ada Lovelace' },
      party_size: { value: 4, quote: 'four' },
    });
  });

  it('asks again when an interruption cut its question off', async () => {
    const { conversation, say } = callFor(data(name, size));
    await say('Hello');
    conversation.heard({ spokenText: 'Could you', interrupted: true });
    expect(await say('Ada Lovelace')).toBe('Could you tell me your full name?');
    conversation.heard({ spokenText: 'Could you tell me your full name?', interrupted: true });
    expect(await say('Ada Lovelace')).toBe('Could you tell me the number of people?');
  });

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

  it('names the passages that it has read out', async () => {
    const { events } = callFor(documents);
    expect((await events('How long does a refund take?')).at(-1)).toMatchObject({
      type: 'turn',
      turn: { sources: [{ knowledgeSourceId: sourceId, chunkId: 'c1' }] },
    });
  });

  it('reads the sentence of a long passage that answers, and not the whole passage', async () => {
    const text = `${'We are a company with many years of experience. '.repeat(20)}A refund takes five days. ${'We like dogs. '.repeat(40)}`;
    const { say } = callFor({ ...documents, documents: [text] });
    const said = await say('How long does a refund take?');
    expect(said).toMatch(/^Our documents say: A refund takes five days\./);
    expect(said.length).toBeLessThan(340);
  });
});
