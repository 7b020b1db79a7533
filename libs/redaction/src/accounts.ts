// International bank account numbers (ISO 13616).
import type { Finding } from './finding.js';

const written = /(?<![\p{L}\d])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{1,4}){3,8}(?![\p{L}\d])/giu;

/** The remainder of the number's check: letters count from 10, and the first four characters come last. */
const isAccount = (number: string): boolean => {
  const moved = number.slice(4) + number.slice(0, 4);
  const digits = [...moved].map((character) => Number.parseInt(character, 36)).join('');
  return number.length >= 15 && number.length <= 34 && BigInt(digits) % 97n === 1n;
};

const compact = (text: string): string => text.replaceAll(/[ -]/g, '').toUpperCase();

/** A word after the number may look like its last group: groups are dropped until the check holds. */
export const accountsIn = (text: string): readonly Finding[] =>
  Array.from(text.matchAll(written)).flatMap(({ index, 0: found }) => {
    for (let candidate = found; candidate !== ''; candidate = candidate.replace(/[ -]?[^ -]*$/, ''))
      if (isAccount(compact(candidate)))
        return [{ kind: 'account' as const, start: index, end: index + candidate.length }];
    return [];
  });
