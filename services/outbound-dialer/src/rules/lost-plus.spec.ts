import { describe, expect, it } from '@jest/globals';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { readDestination } from './phone-numbers.js';

/** Countries of one calling code, such as Finland and Åland. */
const sharing = (country: CountryCode): readonly CountryCode[] =>
  getCountries().filter((other) => getCountryCallingCode(other) === getCountryCallingCode(country));

const read = (
  country: CountryCode,
  text: string,
  others: readonly CountryCode[] = [],
): string | undefined => {
  const allowedCountries = [country, ...others].flatMap(sharing);
  const found = readDestination(text, { country, allowedCountries });
  if (found.kind === 'unreadable') return found.reason;
  return found.kind === 'callable' ? found.number : undefined;
};

/** Mulberry32: the same numbers in every run. */
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const numbersByCountry = new Map<CountryCode, readonly PhoneNumber[]>();
/** Numbers of each country: those like the example of its plan, and any that its plan has. */
const numbersOf = (country: CountryCode): readonly PhoneNumber[] => {
  const numbers = numbersByCountry.get(country) ?? inventedNumbers(country);
  numbersByCountry.set(country, numbers);
  return numbers;
};

const inventedNumbers = (country: CountryCode): readonly PhoneNumber[] => {
  const random = randomOf(country.charCodeAt(0) * 256 + country.charCodeAt(1));
  const code = getCountryCallingCode(country);
  const example = getExampleNumber(country, examples)?.nationalNumber ?? '';
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
  const candidates = [
    example,
    ...Array.from({ length: 30 }, (_, n) => example.slice(0, n % 4) + digits(example.length - (n % 4))),
    ...Array.from({ length: 60 }, (_, n) => digits(6 + (n % 6))),
  ];
  return candidates
    .map((national) => parsePhoneNumberFromString(`+${code}${national}`))
    .filter((number) => number?.country === country && number.isValid())
    .flatMap((number) => number ?? []);
};

describe('a number that lost its plus', () => {
  it.each([
    ['4915123456700', '+4915123456700'],
    ['4916012345601', '+4916012345601'],
    ['491751234503', '+491751234503'],
    ['493012345604', '+493012345604'],
    // There is no area code 04930 or 04989.
    ['4930123456', '+4930123456'],
    ['4989123456', '+4989123456'],
  ])('is never a German number that begins with 49: %s', (text, expected) => {
    expect(read('DE', text)).toBe(expected);
  });

  it('is the number of the example of every country, called from that country', () => {
    const wrong = getCountries().filter((country) => {
      const number = getExampleNumber(country, examples)?.number ?? '+';
      // Seven digits may be a local number anywhere.
      const found = read(country, number.slice(1));
      return found !== number && !(number.length === 8 && found === 'not_a_number');
    });
    expect(wrong).toEqual([]);
  });

  it('is itself or nobody, called from its own country, whatever the country', () => {
    const strangers = getCountries().flatMap((country) =>
      numbersOf(country).flatMap(({ number }) => {
        const found = read(country, number.slice(1));
        return found === number || !found?.startsWith('+') ? [] : [`${number} ${found}`];
      }),
    );
    expect(strangers).toEqual([]);
  });

  it('is itself, called from the United States', () => {
    const strangers = getCountries().flatMap((country) => {
      const number = getExampleNumber(country, examples)?.number ?? '+';
      // Ten digits that are an American number are one: nothing has to be lost for that.
      const isAmerican = parsePhoneNumberFromString(number.slice(1), 'US')?.isValid() === true;
      const found = read('US', number.slice(1), [country]);
      return found === number || isAmerican || number.length === 8 ? [] : [`${number} ${found}`];
    });
    expect(strangers).toEqual([]);
  });
});

describe('a number as its country writes it', () => {
  it('is read as that, whatever the country', () => {
    const wrong = getCountries().flatMap((country) =>
      numbersOf(country)
        .slice(0, 20)
        .flatMap((number) => {
          const found = read(country, number.formatNational());
          // Some are too short for a call, or never called.
          return found === number.number || found === undefined ? [] : [`${number.number} ${found}`];
        }),
    );
    expect(wrong).toEqual([]);
  });

  it('is read as that where a spreadsheet dropped its leading zero', () => {
    expect(read('DE', '15112345678')).toBe('+4915112345678');
    expect(read('DE', '3012345678')).toBe('+493012345678');
    expect(read('GB', '7400123456')).toBe('+447400123456');
    expect(read('FR', '612345678')).toBe('+33612345678');
  });

  it('is called even where it would be a foreign number with a plus', () => {
    // +1 601 234 5678 is in Mississippi, 0160 is a German mobile network
    expect(read('DE', '16012345678', ['US'])).toBe('+4916012345678');
    // +32 3 456 12 34 is in Antwerp
    expect(read('US', '3234561234', ['BE'])).toBe('+13234561234');
  });
});

describe('a number that is plausible with a plus and without it', () => {
  it.each([
    // 04921 is Emden; +49 2123 is in the Rhineland
    ['DE', '4921234567', []],
    // 046 is Lund; +46 8 is Stockholm
    ['SE', '468123456', []],
    // 0431 is Kiel; +43 1 is Vienna
    ['DE', '4312345678', ['AT']],
    ['DE', '41791234567', ['CH']],
  ] as const)('calls nobody in %s: %s', (country, text, others) => {
    expect(read(country, text, others)).toBe('ambiguous');
  });

  it('is a national one where the other country may not be called', () => {
    expect(read('DE', '4312345678')).toBe('+494312345678');
  });
});
