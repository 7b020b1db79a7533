import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SpokenField } from './field.js';
import { mailNameIn } from './mail.js';
import { readValue } from './read-value.js';
import { spelledIn } from './spelling.js';

// A Friday, ten in the morning in New York and four in the afternoon in Berlin.
const now = new Date('2026-11-27T15:00:00Z');
const english = { language: 'en', timezone: 'America/New_York', now };
const german = { language: 'de', timezone: 'Europe/Berlin', now };

const string = (id: string, description: string): SpokenField => ({ id, type: 'string', description });
const fields = {
  guests: { id: 'guests', type: 'integer', description: 'Number of guests' },
  amount: { id: 'amount', type: 'number', description: 'Amount in dollars' },
  pets: { id: 'has_pets', type: 'boolean', description: 'Whether the caller has pets' },
  size: {
    id: 'size',
    type: 'enum',
    description: 'Size of the pizza',
    enumValues: ['small', 'large', 'extra_large'],
  },
  day: string('preferred_date', 'Day of the visit'),
  birth: string('date_of_birth', 'Date of birth'),
  time: string('preferred_time', 'Time of the visit'),
  slot: string('appointment', 'Date and time of the appointment'),
  phone: string('phone', 'Telephone number to call back'),
  mail: string('email', 'Mail address'),
  address: string('address', 'Delivery address'),
  name: string('caller_name', 'Full name of the caller'),
  order: string('order_number', 'Number of the order'),
  reason: string('reason', 'Reason of the call'),
} satisfies Record<string, SpokenField>;

type Row = readonly [keyof typeof fields, string, unknown];

const inEnglish: readonly Row[] = [
  ['guests', 'We are four people', 4],
  ['guests', "There'll be, um, twenty-three of us.", 23],
  ['guests', 'A table for two on Friday at seven', 2],
  ['guests', 'three, no wait, four', 4],
  ['guests', 'two or three', undefined],
  ['guests', 'not five, six', 6],
  ['guests', 'A hundred and five', 105],
  ['guests', 'half a dozen', 6],
  ['guests', 'just me', 1],
  ['guests', 'at seven o clock', undefined],
  ['guests', 'about twelve people', 12],
  ['guests', 'between four and six', undefined],
  ['guests', "I don't know yet", undefined],
  ['amount', 'forty five dollars and fifty cents', 45.5],
  ['amount', 'about two point five', 2.5],
  ['amount', '$1,250.75', 1250.75],
  ['amount', 'twelve hundred', 1_200],
  ['amount', 'two thousand and five', 2_005],
  ['pets', 'Yes I do', true],
  ['pets', 'Of course not', false],
  ['pets', 'Not really, no', false],
  ['pets', 'Yes. Sorry, I mean no', false],
  ['pets', 'Yeah, no', false],
  ['pets', "I'm not sure", undefined],
  ['pets', 'What was that?', undefined],
  ['size', 'Extra large please', 'extra_large'],
  ['size', 'Large. Actually, small', 'small'],
  ['size', 'not the large one, the small one', 'small'],
  ['size', 'large or small, whatever', undefined],
  ['day', 'tomorrow', '2026-11-28'],
  ['day', 'the day after tomorrow', '2026-11-29'],
  ['day', 'Tuesday, no sorry, Wednesday', '2026-12-02'],
  ['day', 'not Monday, Thursday', '2026-12-03'],
  ['day', 'Tuesday or Wednesday', undefined],
  ['day', 'on the fifth of May', '2027-05-05'],
  ['day', 'December third', '2026-12-03'],
  ['day', 'Tuesday the first of December', '2026-12-01'],
  ['day', 'the twenty first', '2026-12-21'],
  ['day', 'a week from Monday', '2026-12-07'],
  ['day', 'in two weeks', '2026-12-11'],
  ['birth', 'May fifth nineteen eighty four', '1984-05-05'],
  ['birth', 'the twelfth of March, two thousand and one', '2001-03-12'],
  ['time', 'half past three', '15:30'],
  ['time', 'quarter to nine in the morning', '08:45'],
  ['time', 'seven thirty pm', '19:30'],
  ['time', 'at seven in the evening', '19:00'],
  ['time', 'three', '15:00'],
  ['time', 'noon would be great', '12:00'],
  ['time', 'ten, actually eleven thirty am', '11:30'],
  ['slot', 'next Tuesday at three thirty in the afternoon', '2026-12-01T15:30'],
  ['slot', 'Tuesday at three, no, at four', '2026-12-01T16:00'],
  ['slot', 'tomorrow', '2026-11-28'],
  ['phone', 'four one five, double five five, two six seven one', '+14155552671'],
  ['phone', "It's (415) 555-2671", '+14155552671'],
  ['phone', 'plus four four twenty, seven nine four six, oh nine five eight', '+442079460958'],
  ['phone', 'I live at 12', undefined],
  ['mail', 'ada at example dot com', 'ada@example.com'],
  ['mail', "it's ada dot lovelace at mail dot example dot co dot uk", 'ada.lovelace@mail.example.co.uk'],
  ['mail', 'You can reach me at a d a underscore one at gmail', 'ada_1@gmail.com'],
  ['mail', 'Ada.Lovelace@Example.com', 'ada.lovelace@example.com'],
  ['mail', 'I am at home', undefined],
  ['address', 'I live at twelve Baker Street, London', '12 Baker Street, London'],
  ['address', "It's 99 Maple Drives", '99 Maple Drive'],
  ['address', '99 Maple Drives 99 Maple Drives', '99 Maple Drive'],
  ['address', 'over there', undefined],
  ['name', 'My name is Ada Lovelace', 'Ada Lovelace'],
  ['name', 'ada lovelace', 'Ada Lovelace'],
  ['name', 'A D A', 'Ada'],
  ['name', "It's Smith, S M Y T H", 'Smyth'],
  ['name', 'Ada Smith, that is S-M-Y-T-H', 'Ada Smyth'],
  ['name', 'This is Grace Hopper, I want a table', 'Grace Hopper'],
  ['name', 'I want a table', undefined],
  ['order', 'a dash one thousand one', 'A-1001'],
  ['order', "It's A-1001", 'A-1001'],
  ['order', 'B as in bravo, seven seven double two', 'B7722'],
  ['order', 'ORD-2231, please', 'ORD-2231'],
  ['order', 'I have no idea', undefined],
  ['reason', 'Well, my heating is broken.', 'my heating is broken'],
  ['reason', "I'd rather not say", undefined],
];

const inGerman: readonly Row[] = [
  ['guests', 'Wir sind vier Personen', 4],
  ['guests', 'Ein Tisch für zwei', 2],
  ['guests', 'einundzwanzig', 21],
  ['guests', 'drei, nein Entschuldigung, vier', 4],
  ['amount', 'zwei Komma fünf', 2.5],
  ['amount', '1.250,75 Euro', 1250.75],
  ['amount', 'zweitausenddreihundertvierzig', 2_340],
  ['pets', 'Ja, gerne', true],
  ['pets', 'Natürlich nicht', false],
  ['pets', 'Weiß ich nicht', undefined],
  ['day', 'übermorgen', '2026-11-29'],
  ['day', 'am fünften Mai', '2027-05-05'],
  ['day', 'nächsten Dienstag', '2026-12-01'],
  ['day', 'nicht Dienstag, sondern Mittwoch', '2026-12-02'],
  ['day', 'am dritten zwölften', '2026-12-03'],
  ['time', 'halb vier', '15:30'],
  ['time', 'um acht Uhr dreißig', '08:30'],
  ['time', 'sieben Uhr abends', '19:00'],
  ['time', 'Viertel nach drei', '15:15'],
  ['slot', 'morgen um halb drei', '2026-11-28T14:30'],
  ['phone', 'null drei null, zwei sieben fünf neun null eins acht', '+49302759018'],
  ['mail', 'ada punkt lovelace ät beispiel punkt de', 'ada.lovelace@beispiel.de'],
  ['name', 'Mein Name ist Grete Müller', 'Grete Müller'],
  ['address', 'Ich wohne in der Hauptstraße zwölf in Bonn', 'Hauptstraße 12 in Bonn'],
  ['order', 'A Strich eins null null eins', 'A-1001'],
];

describe('readValue', () => {
  it.each(inEnglish)('reads %s from "%s"', (field, text, value) => {
    expect(readValue(fields[field], text, english)?.value).toEqual(value);
  });

  it.each(inGerman)('reads %s from German "%s"', (field, text, value) => {
    expect(readValue(fields[field], text, german)?.value).toEqual(value);
  });

  it.each([
    ['en-US', '2026-12-03'],
    ['en-GB', '2027-03-12'],
  ])('reads 12/3 in the order of %s', (language, value) => {
    expect(readValue(fields.day, 'on 12/3', { ...english, language })?.value).toBe(value);
  });

  it('takes the day of the person for today, not that of the server', () => {
    const late = { ...english, now: new Date('2026-11-28T03:00:00Z') };
    expect(readValue(fields.day, 'tomorrow', late)?.value).toBe('2026-11-28');
    expect(readValue(fields.day, 'tomorrow', { ...late, timezone: 'Europe/Berlin' })?.value).toBe(
      '2026-11-29',
    );
  });

  it('quotes the words of the person for every kind', () => {
    const quotes = [...inEnglish].map(([field, text]) => {
      const found = readValue(fields[field], text, english);
      return found === undefined || text.slice(found.start, found.end) === found.quote;
    });
    expect(quotes).not.toContain(false);
    expect(readValue(fields.guests, "There'll be, um, twenty-three of us.", english)?.quote).toBe(
      'twenty-three',
    );
  });

  it('never throws, and quotes what it read, for any text', () => {
    const words = fc.constantFrom(
      ...'one twenty hundred thousand dash dot at a d a no sorry or not Tuesday half past three point and double oh pm @ + - ( ) . , 12 2026 der zwölf Uhr'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(
        fc.constantFrom<SpokenField[]>(...Object.values(fields)),
        text,
        fc.constantFrom(english, german),
        (field, said, context) => {
          const found = readValue(field, said, context);
          if (found === undefined) return;
          expect(found.end).toBeGreaterThan(found.start);
          expect(said.slice(found.start, found.end)).toBe(found.quote);
          if (field.type === 'integer') expect(Number.isInteger(found.value)).toBe(true);
          if (field.enumValues) expect(field.enumValues).toContain(found.value);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads any whole number below a million in digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), (value) => {
        expect(readValue(fields.amount, `it is ${value} in all`, english)?.value).toBe(value);
      }),
    );
  });

  it.each<Row>([
    ['name', 'K wie Kaufmann, O wie Otto, C wie Cäsar, H wie Heinrich', 'Koch'],
    ['name', 'H wie Kaufmann, O wie Otto, C wie Lisa, H wie Heinrich', 'Koch'],
    ['name', 'B wie Berta, E wie Emil, Z wie Lisa, H wie Kaufmann, S wie Samuel', 'Becks'],
    ['name', 'B wie Berta, A wie Anton, S wie Lisa, T wie Theodor', 'Bast'],
    [
      'name',
      'H wie Heinrich, R wie Anton, N wie Nordpol, N wie Nordpol, R wie Anton, H wie Heinrich',
      'Hannah',
    ],
    ['name', 'B wie Berlin, A wie Aachen, E wie Essen, R wie Rostock', 'Baer'],
    ['name', 'H, O, Doppel-F, M, A, Doppel N', 'Hoffmann'],
    ['name', 'W, E, Eszett, L, E, R', 'Weßler'],
    ['mail', 'A wie Anton, D wie Dora, A wie Anton, at gmail punkt com', 'ada@gmail.com'],
  ])('reads %s that is spelled in German: %j', (field, text, value) => {
    expect(readValue(fields[field], text, german)?.value).toBe(value);
  });

  it('does not take the names of three cities for a word that is spelled', () => {
    expect(spelledIn('Hamburg, Berlin, Köln')).toEqual([]);
    expect(spelledIn('H wie Hamburg, B wie Berlin, K wie Köln').map(({ letters }) => letters)).toEqual([
      'hbk',
    ]);
  });

  it('reads the name of a mail address that is spelled without its domain', () => {
    expect(mailNameIn('N, I, N, A, dot, M', 'en')).toBe('nina.m');
    expect(mailNameIn('I said that already', 'en')).toBeUndefined();
  });

  it.each([
    ['email', 'N-I-N-A dot, M-I-T-C-H-E-L-L at example dot org.', 'nina.mitchell@example.org'],
    ['email', 'N, I, N, A, dot, M, I, T, C, H, E, L, L, at example dot org.', 'nina.mitchell@example.org'],
    ['email', 'N as in November, E as in echo, D as in delta, at gmail dotcom', 'ned@gmail.com'],
    ['email', 'A, L, I, see, E, at gmail.com', 'alice@gmail.com'],
    ['email', 'A L I C E a gmail.com', 'alice@gmail.com'],
    ['email', 'A, double N, A, at g mail dot com', 'anna@gmail.com'],
    ['email', 'Nina. N, I, N, A, at gmail dot com', 'nina@gmail.com'],
    ['email', 'victor at gmail dot com', 'victor@gmail.com'],
    ['full_name', 'Victor, V, I, C, T, O, R. Hughes, H, U, G, H, E, S.', 'Victor Hughes'],
    ['full_name', 'A, D, A. K, I, N, G.', 'Ada King'],
    ['full_name', 'is Rachel Fletcher.', 'Rachel Fletcher'],
    ['full_name', 'A man in alpha, B as in delta, and as in Alpha', 'Ada'],
    ['full_name', 'B as in brabo, O as in Oscar, P as in papa', 'Bop'],
    ['full_name', 'M as in mic, A as in alpha, A as in ronio, Y as in yanki', 'Mary'],
    ['full_name', 'S as in c-a-r, A as in alpha, M as in Mike', 'Sam'],
    ['full_name', 'M as in mike, as in alpha, X as in x-ray', 'Max'],
    ['full_name', 'S, as in sierra, A, as in alpha, M, as in mike', 'Sam'],
    ['email', 'V as in victor, as in india, C as in charlie, at example dot net', 'vic@example.net'],
    ['full_name', 'double U, O, L, F, F', 'Wolff'],
    ['address', 'is 139 Park Lane', '139 Park Lane'],
    ['address', '39 Park Lane 39 Park Lane 39', '39 Park Lane'],
    ['full_name', 'Anna Newton Anna Newton', 'Anna Newton'],
    ['full_name', 'Okafor. Ngozi Okafor.', 'Ngozi Okafor'],
    ['full_name', 'A as in Alpha, B as in delta, A as in alpha', 'Ada'],
    ['full_name', 'H as in Chatelle, U as in uniform, G as in golf, O as in Oscar', 'Hugo'],
    ['full_name', 'M. A. R. Why. M. A. R. S. H. A. L. L.', 'Marymarshall'],
    ['full_name', 'A, L, I, see, E', 'Alice'],
    ['address', '39 Park Lane. 39 Park Lane.', '39 Park Lane'],
  ])('reads %s in what recognition makes of a telephone: %j', (id, text, value) => {
    const field = { id, type: 'string' as const, description: '' };
    const context = {
      language: 'en-US',
      timezone: 'America/New_York',
      now: new Date('2026-11-27T15:00:00Z'),
    };
    expect(readValue(field, text, context)?.value).toBe(value);
  });
});
