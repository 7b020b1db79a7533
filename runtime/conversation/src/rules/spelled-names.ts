// Where one name ends and the next begins, in letters that were recognized without a gap.
import { distance, type SpokenValue } from '@parlance/spoken-values';
import { hasLetters } from './read-back.js';

const title = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;

interface Split {
  readonly at: number;
  /** How far the halves are from the two parts that were heard. */
  readonly far: number;
}

const splitsOf = (letters: string, first: string, last: string): readonly Split[] =>
  Array.from({ length: Math.max(0, letters.length - 3) }, (_, index) => index + 2).map((at) => ({
    at,
    far: distance(letters.slice(0, at), first) + distance(letters.slice(at), last),
  }));

const bestOf = (splits: readonly Split[]): Split =>
  splits.reduce((one, other) => (other.far < one.far ? other : one), {
    at: 0,
    far: Number.POSITIVE_INFINITY,
  });

/** "Adalovelace" after "Aida Loveless" is "Ada Lovelace": the split whose halves are the most like what was heard before. */
export const withGaps = (spelled: SpokenValue, heard: SpokenValue): SpokenValue => {
  const words = String(spelled.value).toLowerCase();
  const letters = words.replaceAll(' ', '');
  const [first, ...rest] = String(heard.value).toLowerCase().split(' ');
  const last = rest.join('');
  if (
    spelled.kind !== 'name' ||
    (words !== letters && !hasLetters(spelled.quote)) ||
    first === undefined ||
    last === ''
  )
    return spelled;
  const splits = splitsOf(letters, first, last);
  const best = bestOf(splits);
  // A gap where recognition lost its place is moved; one that is as likely as another stays.
  const gap = words.indexOf(' ');
  if (gap >= 0 && splits.find(({ at }) => at === gap)?.far === best.far) return spelled;
  // One of the two names alone was spelled.
  if (best.far > letters.length / 2) return spelled;
  return { ...spelled, value: `${title(letters.slice(0, best.at))} ${title(letters.slice(best.at))}` };
};

/** The longest first name that is taken for one where nothing else was heard. */
const longestFirstName = 9;

/** Whether both names were spelled where the first was asked for: the letters are more like all of what was heard before. */
export const hasBothNames = (letters: string, heard: SpokenValue | undefined): boolean => {
  const [first = '', ...rest] = String(heard?.value ?? '')
    .toLowerCase()
    .split(' ');
  const spelled = letters.toLowerCase();
  return rest.length === 0
    ? spelled.length > longestFirstName
    : distance(spelled, first + rest.join('')) < distance(spelled, first);
};

/** Letters of one name, where recognition wrote a gap between two of them. */
export const oneName = (name: string): string => title(name.replaceAll(' ', ''));

/** A name that was denied may have one right part: the other one as it was heard at first, the more alike of the two before. */
export const mixedNames = (spelled: string, heard: SpokenValue | undefined): readonly string[] => {
  const [first = '', last = ''] = spelled.split(' ');
  const [heardFirst, heardLast, ...more] = String(heard?.value ?? '').split(' ');
  if (heardFirst === undefined || heardLast === undefined || more.length > 0) return [];
  const far = (one: string, other: string): number => distance(one.toLowerCase(), other.toLowerCase());
  const mixed = [`${heardFirst} ${last}`, `${first} ${heardLast}`];
  return far(heardFirst, first) <= far(heardLast, last) ? mixed : mixed.toReversed();
};

/** "johnmiller" after "john.milner": the mark that was lost among the letters stands where the halves are the most like those. */
const withMark = (local: string, heard: string): string => {
  const parts = /^(?<first>[^._-]+)(?<mark>[._-])(?<last>[^._-]+)$/.exec(heard)?.groups;
  if (parts === undefined || /[._-]/.test(local)) return local;
  const { first = '', mark = '', last = '' } = parts;
  const best = bestOf(splitsOf(local, first, last));
  return best.far > local.length / 2 ? local : local.slice(0, best.at) + mark + local.slice(best.at);
};

/** A mail address by its letters, with the mark of the one that was misheard. */
export const withMarks = (spelled: SpokenValue, rejected: SpokenValue): SpokenValue => {
  if (spelled.kind !== 'mail' || !hasLetters(spelled.quote)) return spelled;
  const [local = '', domain = ''] = String(spelled.value).split('@');
  const [heard = ''] = String(rejected.value).split('@');
  return { ...spelled, value: `${withMark(local, heard)}@${domain}` };
};

/** The part before the sign was spelled alone: the domain is that of the address which was misheard. */
export const withDomain = (
  spelled: string | undefined,
  rejected: SpokenValue,
  text: string,
): SpokenValue | undefined => {
  const [heard = '', domain] = String(rejected.value).split('@');
  if (spelled === undefined || domain === undefined) return undefined;
  // "S as in sierra, T as in example, dot org": the sign became a letter of its own.
  const isSignLetter = text.toLowerCase().includes(` as in ${domain.split('.')[0]}`);
  const local = withMark(isSignLetter ? spelled.slice(0, -1) : spelled, heard);
  return { value: `${local}@${domain}`, quote: text, start: 0, end: text.length, kind: 'mail' };
};
