// Number words of English and German. One grammar for both keeps the place of every number in the text, which the
// libraries for English number words do not.
import { primary } from './field.js';
import { isDigits, type Token } from './tokens.js';

type Numbers = Readonly<Record<string, number>>;

const listed = (words: string, first = 0, step = 1): Record<string, number> =>
  Object.fromEntries(
    words
      .split(' ')
      .flatMap((alternatives, index) => alternatives.split('/').map((word) => [word, first + index * step])),
  );

const english = {
  units: listed('zero one two three four five six seven eight nine'),
  teens: listed('ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 10),
  tens: listed('twenty thirty forty/fourty fifty sixty seventy eighty ninety', 20, 10),
  scales: { thousand: 1_000, million: 1_000_000, billion: 1_000_000_000 } satisfies Numbers,
};

const germanUnits = listed('null eins zwei/zwo drei vier fünf/fuenf sechs sieben acht neun');
const germanStems = listed('ein zwei/zwo drei vier fünf/fuenf sechs sieben acht neun', 1);
const germanTens = listed(
  'zwanzig dreißig/dreissig vierzig fünfzig/fuenfzig sechzig siebzig achtzig neunzig',
  20,
  10,
);
const germanBelowHundred: Numbers = {
  ...germanUnits,
  ...listed(
    'zehn elf zwölf/zwoelf dreizehn vierzehn fünfzehn/fuenfzehn sechzehn siebzehn achtzehn neunzehn',
    10,
  ),
  ...germanTens,
  ...Object.fromEntries(
    Object.entries(germanTens).flatMap(([tens, value]) =>
      Object.entries(germanStems).map(([stem, unit]) => [`${stem}und${tens}`, value + unit]),
    ),
  ),
};

/** German writes a number as one word: zweitausendfünfhundertdreiundzwanzig. */
const germanNumber = (word: string): number | undefined => {
  const below = germanBelowHundred[word];
  if (below !== undefined) return below;
  for (const [name, scale] of [
    ['tausend', 1_000],
    ['hundert', 100],
  ] as const) {
    const at = word.indexOf(name);
    if (at < 0) continue;
    const head = word.slice(0, at);
    const tail = word.slice(at + name.length).replace(/^und(?=.)/, '');
    const times = head === '' ? 1 : (germanStems[head] ?? germanNumber(head));
    const rest = tail === '' || tail === 's' ? 0 : tail === 'ein' ? 1 : germanNumber(tail);
    return times === undefined || rest === undefined ? undefined : times * scale + rest;
  }
  return undefined;
};

export interface Cardinal {
  readonly value: number;
  /** Index of the token after the number. */
  readonly next: number;
}

type Part = 'none' | 'unit' | 'teen' | 'tens' | 'hundred' | 'scale';

const startsNumber = (word: string | undefined): boolean =>
  word !== undefined && (word in english.units || word in english.teens || word in english.tens);

/** "nineteen eighty four" and "twenty twenty six" are years. */
const withYear = (first: Cardinal, second: Cardinal | undefined): Cardinal =>
  second !== undefined &&
  (first.value === 19 || first.value === 20) &&
  second.value >= 10 &&
  second.value <= 99
    ? { value: first.value * 100 + second.value, next: second.next }
    : first;

const englishCardinal = (tokens: readonly Token[], from: number): Cardinal | undefined => {
  let [total, current, index] = [0, 0, from];
  let last = 'none' as Part;
  const add = (value: number, part: Part): void => {
    current += value;
    last = part;
    index += 1;
  };
  const isOpen = (): boolean => last === 'none' || last === 'hundred' || last === 'scale';
  for (;;) {
    const word = tokens[index]?.word;
    if (word === undefined) break;
    const next = tokens[index + 1]?.word;
    if (word === 'a' && last === 'none' && (next === 'hundred' || next === 'thousand')) add(1, 'unit');
    else if (isDigits(word) && word.length <= 15 && last === 'none') add(Number(word), 'unit');
    else if (word in english.units && (isOpen() || (last === 'tens' && word !== 'zero')))
      add(english.units[word] ?? 0, 'unit');
    else if (word in english.teens && isOpen()) add(english.teens[word] ?? 0, 'teen');
    else if (word in english.tens && isOpen()) add(english.tens[word] ?? 0, 'tens');
    else if (word === 'hundred' && current > 0 && current < 100 && last !== 'hundred') {
      current *= 100;
      last = 'hundred';
      index += 1;
    } else if (word in english.scales && last !== 'none' && last !== 'scale') {
      total += current * (english.scales[word as keyof typeof english.scales] ?? 1);
      current = 0;
      last = 'scale';
      index += 1;
    } else if (word === '-' && last === 'tens' && next !== undefined && next in english.units) index += 1;
    else if (word === 'and' && (last === 'hundred' || last === 'scale') && startsNumber(next)) index += 1;
    else break;
  }
  return last === 'none' ? undefined : { value: total + current, next: index };
};

const germanCardinal = (tokens: readonly Token[], index: number): Cardinal | undefined => {
  const word = tokens[index]?.word ?? '';
  const value = isDigits(word) && word.length <= 15 ? Number(word) : germanNumber(word);
  if (value === undefined) return undefined;
  const next = tokens[index + 1]?.word;
  // Recognizers also write "zwei tausend fünf hundert".
  const scale =
    next === 'tausend' ? 1_000 : next === 'hundert' ? 100 : next?.startsWith('million') ? 1_000_000 : 1;
  if (scale === 1) return { value, next: index + 1 };
  const rest = germanCardinal(tokens, index + 2);
  const isRest = rest !== undefined && rest.value < scale;
  return { value: value * scale + (isRest ? rest.value : 0), next: isRest ? rest.next : index + 2 };
};

/** The whole number that begins with the token, in digits or in words. */
export const cardinalAt = (
  tokens: readonly Token[],
  index: number,
  language: string,
): Cardinal | undefined => {
  if (primary(language) === 'de') return germanCardinal(tokens, index);
  const first = englishCardinal(tokens, index);
  if (first === undefined || isDigits(tokens[index]?.word ?? '')) return first;
  return withYear(first, englishCardinal(tokens, first.next));
};

const englishOrdinals: Numbers = {
  ...listed(
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
    1,
  ),
  thirtieth: 30,
};
const germanOrdinalStems: Numbers = {
  erst: 1,
  zweit: 2,
  dritt: 3,
  siebt: 7,
  acht: 8,
};

const germanOrdinal = (word: string): number | undefined => {
  const stem = /^(.+t)e[nrsm]?$/.exec(word)?.[1];
  if (stem === undefined) return undefined;
  const special = germanOrdinalStems[stem];
  if (special !== undefined) return special;
  const value = germanNumber(stem.replace(/s?t$/, ''));
  return value !== undefined && value > 0 && value <= 31 ? value : undefined;
};

/** The ordinal up to 31 that begins with the token. */
export const ordinalAt = (
  tokens: readonly Token[],
  index: number,
  language: string,
): Cardinal | undefined => {
  const word = tokens[index]?.word ?? '';
  if (primary(language) === 'de') {
    const value = germanOrdinal(word);
    return value === undefined ? undefined : { value, next: index + 1 };
  }
  const single = englishOrdinals[word];
  if (single !== undefined) return { value: single, next: index + 1 };
  const tens = english.tens[word];
  if (tens === undefined || tens > 30) return undefined;
  const at = tokens[index + 1]?.word === '-' ? index + 2 : index + 1;
  const unit = englishOrdinals[tokens[at]?.word ?? ''];
  return unit !== undefined && unit < 10 ? { value: tens + unit, next: at + 1 } : undefined;
};

const digitNames: Readonly<Record<string, Numbers>> = {
  en: { ...english.units, oh: 0, o: 0, nought: 0, naught: 0 },
  de: { ...germanUnits, ein: 1 },
};
const repeats: Numbers = { double: 2, triple: 3, treble: 3, doppel: 2, zweimal: 2, dreimal: 3 };

export interface SpokenDigits {
  readonly digits: string;
  readonly next: number;
}

/** The digits that one spoken group stands for: "five", "double five", "forty two", "oh", "eight hundred", "415". */
export const digitsAt = (
  tokens: readonly Token[],
  index: number,
  language: string,
): SpokenDigits | undefined => {
  const word = tokens[index]?.word;
  if (word === undefined) return undefined;
  if (isDigits(word)) return { digits: word, next: index + 1 };
  const names = digitNames[primary(language)] ?? {};
  const times = repeats[word];
  const repeated = names[tokens[index + 1]?.word ?? ''];
  if (times !== undefined)
    return repeated === undefined ? undefined : { digits: String(repeated).repeat(times), next: index + 2 };
  const digit = names[word];
  const cardinal = cardinalAt(tokens, index, language);
  if (cardinal !== undefined && cardinal.next > index && String(cardinal.value).length > 1)
    return { digits: String(cardinal.value), next: cardinal.next };
  return digit === undefined ? undefined : { digits: String(digit), next: index + 1 };
};
