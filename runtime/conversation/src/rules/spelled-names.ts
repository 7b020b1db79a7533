// Where one name ends and the next begins, in letters that were recognized without a gap.
import { distance, type SpokenValue } from '@parlance/spoken-values';
import { hasLetters } from './read-back.js';

const title = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;

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
  const splits = Array.from({ length: Math.max(0, letters.length - 3) }, (_, index) => index + 2).map(
    (at) => ({
      at,
      far: distance(letters.slice(0, at), first) + distance(letters.slice(at), last),
    }),
  );
  const best = splits.reduce((one, other) => (other.far < one.far ? other : one), {
    at: 0,
    far: Number.POSITIVE_INFINITY,
  });
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

/** The part before the sign was spelled alone: the domain is that of the address which was misheard. */
export const withDomain = (
  local: string | undefined,
  rejected: SpokenValue,
  text: string,
): SpokenValue | undefined => {
  const domain = String(rejected.value).split('@')[1];
  if (local === undefined || domain === undefined) return undefined;
  return { value: `${local}@${domain}`, quote: text, start: 0, end: text.length, kind: 'mail' };
};
