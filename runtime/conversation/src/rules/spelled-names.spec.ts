import { describe } from '@jest/globals';
import { data, followsScript, mail, name, spoken } from '../testing/exchanges.js';

describe('the rules, of names and addresses that are spelled', () => {
  followsScript([
    [
      'reads a name back that was spoken, and has it spelled when it was misheard',
      spoken(name),
      [
        ['Hello', 'Could you tell me your full name?'],
        ['Aida Loveless', /^I understood Aida Loveless, A I D A L O V E L E S S\. Is that right\?$/],
        [
          'No.',
          'I am sorry. Please spell the first name with a word for each letter, such as A as in Alpha.',
        ],
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
      spoken(name, mail),
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
      'finds the dot of a mail address, and its sign, where they were lost among the letters',
      spoken(mail),
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
      spoken(mail),
      [
        ['Hello', 'Could you tell me the email address?'],
        ['Nick at example.org', 'I understood nick@example.org. Is that right?'],
        ['No.', /Please spell the email address/],
        ['N I C as in Charlie', /^I understood nic@example\.org/],
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
  ]);
});
