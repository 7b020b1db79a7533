// The time zones in which a number's owner may live: the published table of libphonenumber, looked up by the longest
// prefix.
import { readFileSync } from 'node:fs';
import { timeZoneNamed } from '@parlance/contracts/time-zones';

const table = new URL('../../data/time-zones-of-numbers.txt', import.meta.url);

/**
 * Mobile numbers that the table puts where most of their owners live. But they are given out all over a country of
 * several zones: Russia, Spain, Chile, Ecuador, Australia, Indonesia, New Zealand, Greenland, Mongolia.
 */
const wherever = [
  '79',
  '346',
  '347',
  '569',
  '5939',
  '614',
  '628',
  '642',
  '2992',
  '2994',
  '2995',
  '9768',
  '9769',
];
const isWherever = (prefix: string): boolean => wherever.some((start) => prefix.startsWith(start));

interface Zones {
  readonly byPrefix: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
}

const readZones = (): Zones => {
  const byPrefix = new Map<string, readonly string[]>();
  let list: readonly string[] = [];
  for (const line of readFileSync(table, 'utf8').split('\n')) {
    if (line.startsWith('#')) continue;
    if (!line.startsWith(' ')) list = Object.freeze(line.split(' '));
    else for (const prefix of line.trim().split(' ')) if (!isWherever(prefix)) byPrefix.set(prefix, list);
  }
  return { byPrefix, longest: Math.max(...[...byPrefix.keys()].map(({ length }) => length)) };
};

let zones: Zones | undefined;
const none: readonly string[] = Object.freeze([]);

const search = ({ byPrefix, longest }: Zones, digits: string): readonly string[] => {
  for (let end = Math.min(digits.length, longest); end > 0; end -= 1) {
    const found = byPrefix.get(digits.slice(0, end));
    if (found !== undefined) return found;
  }
  return none;
};

/** The latest results, by as many digits as any prefix has: the numbers of a file mostly are neighbours. */
const lately = new Map<string, readonly string[]>();
const mostLately = 20_000;

/**
 * All time zones of the places where the callee may be, as IANA names. Where there are several, a calling window must
 * be open in every one of them, because the right one is unknown. Some numbers name no place within their country:
 * toll-free ones, and mobile ones in most countries. Such a number has all zones of the country or, in North America,
 * of all countries with +1.
 * @param phoneNumber E.164
 * @returns never empty for a number of a country; empty for a number without a country, such as +800
 */
export const timeZonesOf = (phoneNumber: string): readonly string[] => {
  zones ??= readZones();
  const digits = phoneNumber.slice(1, zones.longest + 1);
  const known = lately.get(digits);
  if (known !== undefined) return known;
  const found = search(zones, digits);
  if (lately.size === mostLately) lately.clear();
  lately.set(digits, found);
  return found;
};

/** UTC says nothing of a person, and rows of earlier releases may have abbreviations that mean another country. */
const arePlaces = (zones: readonly string[]): boolean =>
  zones.length > 0 && zones.every((zone) => zone !== 'UTC' && timeZoneNamed(zone) !== undefined);

/** The zones that are kept for a row: those that it names, or else those of its number. */
export const zonesOfRow = (named: readonly string[], phoneNumber: string): readonly string[] =>
  arePlaces(named) ? named : timeZonesOf(phoneNumber);

/** The zones in which a person may be. */
export interface Whereabouts {
  /** Those of the number; empty for a number without a country. */
  readonly number: readonly string[];
  /** Those that the row of the file names. */
  readonly named: readonly string[];
}

/** @param kept the zones that are kept for the row; empty for a call without one */
export const whereaboutsOf = (kept: readonly string[], phoneNumber: string): Whereabouts => {
  const number = timeZonesOf(phoneNumber);
  const isOfNumber = kept.length === number.length && kept.every((zone) => number.includes(zone));
  return { number, named: isOfNumber || !arePlaces(kept) ? [] : kept };
};
