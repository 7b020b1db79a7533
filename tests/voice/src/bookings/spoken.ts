// How people say dates, times, digits and letters.

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const germanDigitWords = ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'];

const inWords = (text: string, words: readonly string[]): string =>
  [...text].map((digit) => words[Number(digit)] ?? digit).join(' ');

export const digitWords = (text: string): string => inWords(text, digits);

/** In groups of three, as people read numbers out. */
export const germanDigits = (text: string): string =>
  (text.match(/.{1,4}/g) ?? []).map((group) => inWords(group, germanDigitWords)).join(', ');

const alphabet: Readonly<Record<string, string>> = Object.fromEntries(
  'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu'
    .split(' ')
    .map((word) => [word.charAt(0), word]),
);

/** "A, D, A", or "A as in alpha, D as in delta". */
export const letterWords = (word: string, hasExamples = false): string =>
  [...word.toUpperCase()]
    .map((letter) => {
      const example = alphabet[letter.toLowerCase()];
      return hasExamples && example !== undefined ? `${letter} as in ${example}` : letter;
    })
    .join(', ');

const germanAlphabet: Readonly<Record<string, string>> = Object.fromEntries(
  'Anton Berta Cäsar Dora Emil Friedrich Gustav Heinrich Ida Julius Kaufmann Ludwig Martha Nordpol Otto Paula Quelle Richard Samuel Theodor Ulrich Viktor Wilhelm Xanthippe Ypsilon Zacharias'
    .split(' ')
    .map((word) => [word.charAt(0), word]),
);

/** "A wie Anton, N wie Nordpol" */
export const germanLetters = (word: string): string =>
  [...word.toUpperCase()].map((letter) => `${letter} wie ${germanAlphabet[letter] ?? letter}`).join(', ');

const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  );

const monthOf = (date: Date, language: string): string =>
  date.toLocaleDateString(language, { month: 'long', timeZone: 'UTC' });

/** "December fourth", and the year of a birth. */
export const dayWords = (date: Date, hasYear = false): string => {
  const spoken = `${monthOf(date, 'en')} ${ordinals[date.getUTCDate() - 1] ?? ''}`;
  return hasYear ? `${spoken}, ${date.getUTCFullYear()}` : spoken;
};

/** "The fourth of December": said in another way when the first was not understood. */
export const ordinalDay = (date: Date): string =>
  `the ${ordinals[date.getUTCDate() - 1] ?? ''} of ${monthOf(date, 'en')}`;

interface Clock {
  readonly hour: number;
  readonly minute: number;
}

export const clockWords = ({ hour, minute }: Clock): string => {
  const part = hour < 12 ? 'in the morning' : hour < 18 ? 'in the afternoon' : 'in the evening';
  const twelve = hour > 12 ? hour - 12 : hour;
  return minute === 30 ? `half past ${twelve} ${part}` : `${twelve} o'clock ${part}`;
};

/** "ten thirty a.m." */
export const figures = ({ hour, minute }: Clock): string => {
  const twelve = hour > 12 ? hour - 12 : hour;
  return `${twelve}${minute === 0 ? '' : `:${minute}`} ${hour < 12 ? 'AM' : 'PM'}`;
};

export const germanWeekday = (date: Date): string =>
  date.toLocaleDateString('de', { weekday: 'long', timeZone: 'UTC' });
export const germanDate = (date: Date): string => `${date.getUTCDate()}. ${monthOf(date, 'de')}`;
export const germanClock = ({ hour, minute }: Clock): string =>
  minute === 30 ? `${hour} Uhr 30` : `${hour} Uhr`;
