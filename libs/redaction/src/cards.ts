// Payment cards: the digits of one, spoken or written, and its security code.
import type { DigitGroup, DigitRun } from '@parlance/spoken-values';
import type { Finding } from './finding.js';

const shortest = 13;
const longest = 19;

/** ISO/IEC 7812-1: every card number ends with a check digit. */
const hasCheckDigit = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return sum + (doubled > 9 ? doubled - 9 : doubled);
  }, 0) %
    10 ===
  0;

/** Numbers of cards begin with 2 to 6; a row of one digit is somebody who tests. */
export const isCard = (digits: string): boolean =>
  digits.length >= shortest && digits.length <= longest && /^[2-6]/.test(digits) && hasCheckDigit(digits);

/** The longest card number among the groups: what was said before and after may have joined the run. */
const cardWithin = (groups: readonly DigitGroup[]): Finding | undefined => {
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    let found: Finding | undefined;
    for (const group of groups.slice(first)) {
      digits += group.digits;
      if (digits.length > longest) break;
      if (isCard(digits))
        found = { kind: 'card', start: groups[first]?.start ?? group.start, end: group.end };
    }
    if (found !== undefined) return found;
  }
  return undefined;
};

const about =
  /(?<!\p{L})(?:credit|debit|card|visa|mastercard|amex|american express|maestro|\p{L}*karten?)(?!\p{L})/iu;
const otherThing =
  /(?<!\p{L})(?:order|invoice|tracking|parcel|reference|ticket|bestell\p{L}*|rechnungs\p{L}*|sendungs\p{L}*)(?!\p{L})/iu;
const securityCode =
  /(?<!\p{L})(?:cvv2?|cvc2?|security (?:code|number)|verification (?:code|number|value)|code on the back|prüf(?:ziffer|nummer)|sicherheitscode|kartenprüfnummer)(?!\p{L})/giu;

const digitsOf = ({ groups }: DigitRun): string => groups.map(({ digits }) => digits).join('');

/** Words before the run that say what it is. */
const reach = 60;

/** A digit that was misheard spoils the check digit: where a card is talked about, its length is enough. */
const isTalkedAbout = (text: string, run: DigitRun): boolean => {
  const before = text.slice(Math.max(0, run.start - reach), run.start);
  const { length } = digitsOf(run);
  return length >= shortest - 1 && length <= longest + 1 && about.test(before) && !otherThing.test(before);
};

const securityCodes = (text: string, runs: readonly DigitRun[]): Finding[] =>
  Array.from(text.matchAll(securityCode)).flatMap(({ index, 0: words }) => {
    const from = index + words.length;
    const run = runs.find(({ start }) => start >= from && start - from <= reach / 2);
    const length = run === undefined ? 0 : digitsOf(run).length;
    return run && (length === 3 || length === 4) ? [{ kind: 'card', start: run.start, end: run.end }] : [];
  });

/** @param runs those of the text */
export const cardsIn = (text: string, runs: readonly DigitRun[]): readonly Finding[] => {
  const numbers = runs.flatMap((run): Finding[] => {
    const whole: Finding = { kind: 'card', start: run.start, end: run.end };
    if (isTalkedAbout(text, run)) return [whole];
    return [cardWithin(run.groups) ?? []].flat();
  });
  return [...numbers, ...securityCodes(text, runs)];
};
