// Sentences with planted personal data, and sentences with figures of other kinds. The ways to say a number are written here by
// themselves: nothing of the search is used to make them.
import type { PersonalKind } from '@parlance/contracts';

export interface Sentence {
  readonly language: 'en' | 'de';
  readonly text: string;
  readonly planted: readonly { readonly kind: PersonalKind; readonly quote: string }[];
}

/** A generator of numbers below a limit. */
export type Draw = (limit: number) => number;

/** mulberry32: the same sentences in every run. */
export const drawFrom = (seed: number): Draw => {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
};

type Language = Sentence['language'];

const one = <T>(draw: Draw, of: readonly T[]): T => of[draw(of.length)] as T; // an index of the list

const words: Readonly<Record<Language, readonly string[]>> = {
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  de: ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'],
};
const englishTens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

const digitWord = (draw: Draw, language: Language, digit: string): string =>
  digit === '0' && language === 'en'
    ? one(draw, ['zero', 'oh', 'zero'])
    : (words[language][Number(digit)] ?? '');

/** Digit by digit, with pauses after groups, as a recognizer writes it. */
const digitByDigit = (draw: Draw, language: Language, groups: readonly string[]): string => {
  const pause = one(draw, [' ', ', ', ' uh ', ', uh, ']);
  return groups
    .map((group) => [...group].map((digit) => digitWord(draw, language, digit)).join(' '))
    .join(language === 'de' ? pause.replace('uh', 'äh') : pause);
};

/** "double five" for two equal digits within a group. */
const withDoubles = (draw: Draw, groups: readonly string[]): string =>
  groups
    .map((group) => {
      const said: string[] = [];
      for (let index = 0; index < group.length; index += 1) {
        const digit = group[index] ?? '';
        const isDouble = group[index + 1] === digit && group[index + 2] !== digit;
        said.push(`${isDouble ? 'double ' : ''}${digitWord(draw, 'en', digit)}`);
        if (isDouble) index += 1;
      }
      return said.join(' ');
    })
    .join(' ');

const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const pair = (digits: string): string => {
  const [tens = 0, unit = 0] = [...digits].map(Number);
  if (tens === 0) return `oh ${words.en[unit]}`;
  if (tens === 1) return teens[unit] ?? '';
  return `${englishTens[tens]}${unit === 0 ? '' : `${unit % 2 === 0 ? '-' : ' '}${words.en[unit]}`}`;
};
/** Groups of an even length in pairs, "forty-one eleven"; the others digit by digit. */
const inPairs = (groups: readonly string[]): string =>
  groups
    .map((group) =>
      group.length % 2 === 0
        ? (group.match(/../g) ?? []).map(pair).join(' ')
        : [...group].map((digit) => words.en[Number(digit)]).join(' '),
    )
    .join(', ');

const spoken = (draw: Draw, language: Language, groups: readonly string[]): string => {
  if (language === 'de') return digitByDigit(draw, language, groups);
  switch (draw(4)) {
    case 0:
      return withDoubles(draw, groups);
    case 1:
      return inPairs(groups);
    default:
      return digitByDigit(draw, language, groups);
  }
};

const digits = (draw: Draw, count: number): string =>
  Array.from({ length: count }, () => String(draw(10))).join('');

const checkDigit = (body: string): string => {
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
};

const cardGroups = (draw: Draw): readonly string[] => {
  if (draw(5) === 0) {
    const body = `3${one(draw, ['4', '7'])}${digits(draw, 12)}`;
    const number = body + checkDigit(body);
    return [number.slice(0, 4), number.slice(4, 10), number.slice(10)];
  }
  const body = `${one(draw, ['4', '51', '52', '53', '54', '55', '6011', '2221'])}${digits(draw, 15)}`.slice(
    0,
    15,
  );
  const number = body + checkDigit(body);
  return number.match(/.{4}/g) ?? [];
};

const card = (draw: Draw, language: Language): string => {
  const groups = cardGroups(draw);
  switch (draw(5)) {
    case 0:
      return groups.join('');
    case 1:
      return groups.join(' ');
    case 2:
      return groups.join('-');
    default:
      return spoken(draw, language, groups);
  }
};

const areaCodes = {
  en: ['415', '212', '303', '617', '206', '512'],
  de: ['030', '089', '040', '0221', '0711'],
};

const telephone = (draw: Draw, language: Language): string => {
  if (language === 'de') {
    const isMobile = draw(2) === 0;
    const area = isMobile ? one(draw, ['0151', '0160', '0170', '0176']) : one(draw, areaCodes.de);
    const rest = isMobile
      ? `${1 + draw(9)}${digits(draw, area === '0151' ? 7 : 6)}`
      : `${2 + draw(7)}${digits(draw, 6)}`;
    switch (draw(4)) {
      case 0:
        return `${area} ${rest}`;
      case 1:
        return `${area}/${rest}`;
      case 2:
        return `+49 ${area.slice(1)} ${rest}`;
      default:
        return spoken(draw, language, [area, rest.slice(0, 3), rest.slice(3)]);
    }
  }
  const groups = [
    one(draw, areaCodes.en),
    `${2 + draw(8)}${one(draw, ['34', '57', '80', '62'])}`,
    digits(draw, 4),
  ];
  const [area = '', exchange = '', line = ''] = groups;
  switch (draw(6)) {
    case 0:
      return `(${area}) ${exchange}-${line}`;
    case 1:
      return `${area}-${exchange}-${line}`;
    case 2:
      return `+1 ${area} ${exchange} ${line}`;
    case 3:
      return `${area}.${exchange}.${line}`;
    default:
      return spoken(draw, language, groups);
  }
};

const people = {
  en: [
    'Ada Lovelace',
    'Grace Hopper',
    'Tom Baker',
    "Sinead O'Connor",
    'Maria Gonzalez',
    'Wei Zhang',
    'Jean-Luc Martin',
  ],
  de: ['Jürgen Müller', 'Sabine Schäfer', 'Anna von Stein', 'Thomas Becker', 'Ayşe Yılmaz'],
};
const domains = ['example.com', 'example.org', 'mail.example.net', 'gmail.com'];

const mail = (draw: Draw, language: Language): string => {
  const name = one(draw, ['ada', 'grace.hopper', 'tom_baker', 'j.smith', 'info', 'maria-g', 'anna.stein']);
  const domain = one(draw, domains);
  if (draw(2) === 0) return `${name}@${domain}`;
  const [dot, underscore, dash] =
    language === 'de' ? ['punkt', 'unterstrich', 'bindestrich'] : ['dot', 'underscore', 'dash'];
  return `${name} at ${domain}`
    .replaceAll('.', ` ${dot} `)
    .replaceAll('_', ` ${underscore} `)
    .replaceAll('-', ` ${dash} `);
};

const account = (draw: Draw): string => {
  const body = `37040044${digits(draw, 10)}`;
  const check = String(98n - (BigInt(`${body}131400`) % 97n)).padStart(2, '0');
  const number = `DE${check}${body}`;
  return draw(2) === 0 ? number : (number.match(/.{1,4}/g) ?? []).join(' ');
};

const makers: Readonly<Record<PersonalKind, (draw: Draw, language: Language) => string>> = {
  card,
  telephone,
  mail,
  account,
  name: (draw, language) => one(draw, people[language]),
};

/** The braces stand for what is planted. */
const frames: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Sure, my card number is {card}.',
    'it is {card} and it expires in March',
    'The Visa ends soon but you can still charge {card}, thanks.',
    'can you put it on {card} please',
    '{card}',
    'okay so the number on the front is {card} got it?',
    'I would like to pay with my Mastercard. {card}. Did you get that?',
    'yeah uh {card}',
    'You can reach me at {telephone} after five.',
    'my number is {telephone}',
    'Please call back on {telephone}, I am at work until 4:30.',
    "It's {telephone}.",
    'the best phone number for me is {telephone} thank you',
    '{telephone}',
    'no wait, that one is old, use {telephone} instead',
    'My husband has {telephone} and I have {telephone}',
    'text me at {telephone} when the order 55120 is ready',
    'Send it to {mail} please.',
    'my email address is {mail}',
    "it's {mail}",
    'you should have {mail} on file',
    'My name is {name}.',
    'Hello, my name is {name} and I have a question about my invoice.',
    'This is {name} calling about the apartment.',
    'Is Mr. {name} there?',
    'I am {name}, we spoke on Monday.',
    'The account is {account}, at the bank in Cologne.',
    'please refund to {account}',
    'My name is {name}, call me at {telephone} or write to {mail}.',
    'Charge {card} and send the receipt to {mail}.',
  ],
  de: [
    'Meine Kartennummer ist {card}.',
    'ja also das ist die {card} und die läuft im März ab',
    '{card}',
    'Sie können die Kreditkarte belasten, {card}, danke.',
    'Meine Telefonnummer ist {telephone}.',
    'Sie erreichen mich unter {telephone}, aber erst ab 17 Uhr.',
    '{telephone}',
    'rufen Sie mich bitte unter {telephone} zurück',
    'Meine Mailadresse ist {mail}.',
    'schicken Sie es an {mail} bitte',
    'Mein Name ist {name}.',
    'Guten Tag, ich heiße {name} und habe eine Frage.',
    'Ist Frau {name} zu sprechen?',
    'Die IBAN ist {account}.',
    'Mein Name ist {name}, meine Nummer {telephone}.',
  ],
};

/** Figures and words that nobody has to hide. The hash stands for a digit. */
const harmless: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'My order number is 4155550###.',
    'The tracking number is 1Z9998765###.',
    'the invoice is number ########## from last week',
    'It was $1,2##.50 on the 2#th of November.',
    'Can I come on 2026-11-2# at 14:30?',
    'We are open from 9 to 17:30, Monday to Friday.',
    'The case number is ##########.',
    'I need twenty five chairs and a hundred and twelve plates.',
    'my customer number is one two three four five six seven eight nine oh',
    'version 1.2.3 of the firmware, build 20261###',
    'The room is 4## on the second floor.',
    'That is fine, this is great, thank you.',
    'it was in nineteen eighty four, or maybe twenty twenty six',
    'There were 120,000 people and 3,5## cars.',
    'I am calling about the delivery of Tuesday.',
    'Meet me at the station, at the north exit, dot on five.',
    'The serial number is ############.',
    'I was at home at seven and at work at eight.',
    'the postcode is 94###',
    'Reservation 8812##, two adults and three children.',
    'What are your opening hours on the 1#th?',
    'Nobody was at example street when I came.',
    'The score was 3 to 2, then 4 to 2, then 5 to 4.',
    'I am not sure about the name of the street.',
    'this is about invoice 2026-00####',
  ],
  de: [
    'Meine Bestellnummer ist 89########.',
    'Die Rechnungsnummer lautet 2026######.',
    'Können Sie am 2#.11.2026 um 14:30 Uhr kommen?',
    'Das kostet 1.2##,50 Euro.',
    'ich brauche zwölf Stühle und einhundertfünf Teller',
    'Die Kundennummer ist eins zwei drei vier fünf sechs sieben.',
    'Die Postleitzahl ist 10###.',
    'Ich bin zu Hause, das ist gut.',
    'Das ist die Rechnung vom 1#. November.',
    'Um 9 Uhr, am Bahnhof, am Eingang Nord.',
    'Die Sendungsnummer ist 0034############.',
    'es waren 120.000 Leute da',
  ],
};

const slot = /\{(\w+)\}/g;

const planted = (draw: Draw, language: Language): Sentence => {
  const found: { kind: PersonalKind; quote: string }[] = [];
  const text = one(draw, frames[language]).replaceAll(slot, (_, kind: PersonalKind) => {
    const quote = makers[kind](draw, language);
    found.push({ kind, quote });
    return quote;
  });
  return { language, text, planted: found };
};

/** Two thirds have personal data, a quarter is German. */
export const sentences = (draw: Draw, count: number): readonly Sentence[] =>
  Array.from({ length: count }, (_, index) => {
    const language = index % 4 === 3 ? 'de' : 'en';
    if (index % 3 !== 2) return planted(draw, language);
    const text = one(draw, harmless[language]).replaceAll('#', () => String(draw(10)));
    return { language, text, planted: [] };
  });

/** A number whose groups are said or keyed in several turns. */
export interface SpreadNumber {
  readonly language: 'en' | 'de';
  readonly kind: 'card' | 'telephone';
  readonly pieces: readonly string[];
}

const telephoneGroups = (draw: Draw, language: Language): readonly string[] =>
  language === 'de'
    ? [one(draw, ['0160', '0170', '0176']), `${1 + draw(9)}${digits(draw, 2)}`, digits(draw, 4)]
    : [one(draw, areaCodes.en), `${2 + draw(8)}${one(draw, ['34', '57', '80', '62'])}`, digits(draw, 4)];

const joinedAt = (draw: Draw, groups: readonly string[]): readonly (readonly string[])[] => {
  const cut = 1 + draw(groups.length - 1);
  return draw(3) === 0 ? groups.map((group) => [group]) : [groups.slice(0, cut), groups.slice(cut)];
};

const saidIn: readonly ((draw: Draw, language: Language, groups: readonly string[]) => string)[] = [
  (_, __, groups) => [...groups.join('')].join(' '),
  (_, __, groups) => groups.join(' '),
  (draw, language, groups) => digitByDigit(draw, language, groups),
  (draw, language, groups) => `${digitByDigit(draw, language, groups)}.`,
  (draw, language, groups) =>
    `${language === 'en' ? 'and then' : 'und dann'} ${digitByDigit(draw, language, groups)}`,
];

export const spreadNumbers = (draw: Draw, count: number): readonly SpreadNumber[] =>
  Array.from({ length: count }, (_, index) => {
    const language = index % 4 === 3 ? 'de' : 'en';
    const kind = index % 2 === 0 ? 'card' : 'telephone';
    const groups = kind === 'card' ? cardGroups(draw) : telephoneGroups(draw, language);
    const say = one(draw, saidIn);
    const pieces = joinedAt(draw, groups).map((part) => say(draw, language, part));
    return { language, kind, pieces };
  });
