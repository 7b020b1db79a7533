import { describe } from '@jest/globals';
import { day, followsScript, name, notes, phone, size, spoken, table } from '../testing/exchanges.js';

describe('the rules, of values that are keyed in', () => {
  followsScript([
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
  ]);
});
