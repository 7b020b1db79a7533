import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { RateFileError, readRates } from './rate-file.js';
import { builtInFile, rateTable, readOnce } from './rates.js';

const read = (...lines: readonly string[]) => readRates(Readable.from([lines.join('\n')]));
const refusal = async (...lines: readonly string[]): Promise<string> => {
  try {
    await read(...lines);
  } catch (error) {
    if (error instanceof RateFileError) return error.message;
    throw error;
  }
  throw new Error('the file was taken');
};
const head = 'prefix,currency,price';

describe('a table of rates', () => {
  it('is read once, and read again after a read that failed', async () => {
    let reads = 0;
    const table = readOnce(async () => {
      reads += 1;
      if (reads === 1) throw new Error('too many open files');
      return reads;
    });
    await expect(table()).rejects.toThrow('too many open files');
    expect(await Promise.all([table(), table()])).toEqual([2, 2]);
    expect(await table()).toBe(2);
  });

  it('takes the longest prefix of a number, and the highest rate for a number without one', async () => {
    const { currency, rates } = await read(
      head,
      '44,EUR,0.10',
      '447,EUR,0.2',
      '4470,EUR,2.5',
      '1,EUR,0.0125',
    );
    const table = rateTable({ currency, rates });
    expect(table.currency).toBe('EUR');
    expect(table.microsPerStartedMinute('+442079460000')).toBe(100_000);
    expect(table.microsPerStartedMinute('+447000900000')).toBe(2_500_000);
    expect(table.microsPerStartedMinute('+447900900000')).toBe(200_000);
    expect(table.microsPerStartedMinute('+14155550100')).toBe(12_500);
    expect(table.microsPerStartedMinute('+881612345678')).toBe(2_500_000);
  });

  it('that is built in has a rate for every country that can be called', async () => {
    const { currency, rates } = await readRates(createReadStream(builtInFile));
    expect(currency).toBe('USD');
    const without = getCountries().filter((country) => !rates.has(getCountryCallingCode(country)));
    expect(without).toEqual([]);
    const table = rateTable({ currency, rates });
    expect(table.microsPerStartedMinute('+12425550100')).toBeGreaterThan(
      table.microsPerStartedMinute('+14155550100'),
    );
  });
});

describe('a file of rates', () => {
  it('may name its columns as people do, in any order, with others beside them, comments and a byte order mark', async () => {
    const { currency, rates } = await read(
      '\ufeffDestination,Price per started minute,CURRENCY,Prefix',
      '# as of today',
      '"Germany, mobile",0.21,usd,+4915',
      '',
      'Free,0,USD,800',
    );
    expect(currency).toBe('USD');
    expect([...rates]).toEqual([
      ['4915', 210_000],
      ['800', 0],
    ]);
  });

  it('is refused with the line and the mend of everything that is wrong with it', async () => {
    const message = await refusal(
      head,
      '49,USD,0.1',
      '4a,USD,0.1',
      '0049,USD,0.1',
      '50,Dollar,0.1',
      '51,USD,"0,1"',
      '52,USD,-1',
      '53,USD,1000.000001',
      '54,EUR,1',
      '+49,USD,0.3',
      '55,USD,',
    );
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^Line 3: the prefix has to be 1 to 15 digits, .* not "4a"\.$/),
      expect.stringMatching(/^Line 4: the prefix .* not "0049"\.$/),
      expect.stringMatching(/^Line 5: the currency has to be a code of three letters, .* not "DOLLAR"\.$/),
      expect.stringMatching(/^Line 6: the price .*with a point.* not "0,1"\.$/),
      expect.stringMatching(/^Line 7: the price .* not "-1"\.$/),
      expect.stringMatching(/^Line 8: the price .*at most 1000, not "1000\.000001"\.$/),
      'Line 9: the currency is EUR, and USD above: a table has one.',
      'Line 10: the prefix 49 was in line 2 already.',
      expect.stringMatching(/^Line 11: the price .* not ""\.$/),
    ]);
  });

  it('with more faults than a person reads tells the first twenty and how many there are besides', async () => {
    const message = await refusal(head, ...Array.from({ length: 30 }, () => 'x,USD,1'));
    expect(message.split('\n')).toHaveLength(21);
    expect(message).toMatch(/and 10 more$/);
  });

  it.each([
    ['nothing in it', [], 'no rates'],
    ['only a header', [head], 'no rates'],
    ['no header', ['49,USD,0.1'], 'Missing: prefix, currency, price'],
    ['a column too few', ['prefix,price', '49,1'], 'Missing: currency'],
    ['semicolons', ['prefix;currency;price', '49;USD;1'], 'separated by commas'],
    ['a row too short', [head, '49,USD'], 'Line 2: '],
    ['a quote that nobody closes', [head, '"49,USD,1'], 'Quote'],
  ])('with %s is refused', async (_, lines, expected) => {
    expect(await refusal(...lines)).toContain(expected);
  });
});
