import { describe, expect, it } from '@jest/globals';
import { readDestination } from '../rules/phone-numbers.js';
import { NumberSet } from '../suppressions/number-set.js';
import { PhoneReader } from './phone-cell.js';
import { readBytes, usualRules } from './testing/reading.js';

/** Mulberry32: the same numbers in every run. */
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

describe('a phone number', () => {
  const phones = new PhoneReader(usualRules.plan);

  it.each([
    '+14155550100',
    '14155550100',
    '4155550100',
    '(415) 555-0100',
    '1-415-555-0100',
    '+1 415.555.0100',
    '14155550100.0',
    '1.4155550100E+10',
    '="+14155550100"',
    "'+14155550100",
    ' 4155550100 ',
  ])('is found in %s', (text) => {
    expect(phones.read(text)).toEqual({ kind: 'callable', number: '+14155550100' });
  });

  it('of another country is found without the plus that spreadsheets take away', () => {
    expect(phones.read('4915112345678')).toEqual({ kind: 'callable', number: '+4915112345678' });
    expect(phones.read('+49 1511 2345678')).toEqual({ kind: 'callable', number: '+4915112345678' });
    const german = new PhoneReader({ country: 'DE', allowedCountries: ['DE'] });
    expect(german.read('0151 12345678')).toEqual({ kind: 'callable', number: '+4915112345678' });
    expect(german.read('14155550100')).toMatchObject({ kind: 'invalid' });
  });

  it.each([
    ['1.41556E+10', /shortened by the spreadsheet/],
    ['911', /emergency/],
    ['+19005551234', /premium-rate/],
    ['+33123456789', /country that may not be called/],
    ['+15550100', /not a phone number/],
    ['hello there 12345678', /not a phone number|country/],
  ])('is not found in %s', (text, message) => {
    expect(phones.read(text)).toMatchObject({ kind: 'invalid', message: expect.stringMatching(message) });
  });

  it('of North America is what the library says, though it is asked only once for each exchange', () => {
    const random = randomOf(1);
    const digit = (least = 0) => least + Math.floor(random() * (10 - least));
    const wrong: string[] = [];
    for (let i = 0; i < 400; i += 1) {
      const exchange = `${digit(2)}${digit()}${digit()}${digit(2)}${digit()}${digit()}`;
      for (const line of ['0000', '5678', '9999']) {
        const isCallable = readDestination(`+1${exchange}${line}`, usualRules.plan).kind === 'callable';
        if ((phones.read(`${exchange}${line}`).kind === 'callable') !== isCallable) wrong.push(exchange);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('written as it should be is what it is written otherwise', () => {
    const random = randomOf(2);
    const wrong: string[] = [];
    for (let i = 0; i < 400; i += 1) {
      const digits = String(Math.floor(random() * 10 ** (9 + (i % 3))));
      const [plain, guarded] = [phones.read(`+1${digits}`), phones.read(`="+1 ${digits} "`)];
      if (JSON.stringify(plain) !== JSON.stringify(guarded)) wrong.push(digits);
    }
    expect(wrong).toEqual([]);
  });
});

describe('rows', () => {
  it('carry what they say otherwise, and everything else as variables', async () => {
    const { rows } = await readBytes(
      'Phone Number,First Name,first_message,System Prompt,language,voice_id,timezone,external_id,username,E-Mail,2nd,Prénom\n' +
        '+14155550100,Zoë,Hi,Be kind,de,v1,Europe/Berlin,x-1,zoe,z@example.org,b,c\n+14155550101\n',
    );
    expect(rows[0]).toEqual({
      rowNumber: 2,
      phoneNumber: '+14155550100',
      timeZones: ['Europe/Berlin'],
      row: {
        variables: {
          First_Name: 'Zoë',
          username: 'zoe',
          E_Mail: 'z@example.org',
          _2nd: 'b',
          Prenom: 'c',
          language: 'de',
          voice_id: 'v1',
          timezone: 'Europe/Berlin',
          external_id: 'x-1',
        },
        ...{
          firstMessage: 'Hi',
          systemPrompt: 'Be kind',
          language: 'de',
          voiceId: 'v1',
          externalId: 'x-1',
          username: 'zoe',
        },
      },
    });
    expect(rows[1]).toMatchObject({ timeZones: ['America/Los_Angeles'] });
    expect(rows[1]?.row).not.toHaveProperty('firstMessage');
  });

  it.each(['phone_number', 'phoneNumber', 'PHONE', 'Phone Number', 'number', 'contact_number', 'To_Number'])(
    'have their number under %s',
    async (header) => {
      expect((await readBytes(`name,${header}\nx,+14155550100\n`)).rows).toHaveLength(1);
    },
  );

  it('have their number under the first of the names, whatever the order', async () => {
    const { rows } = await readBytes('number,phone\n7,+14155550100\n');
    expect(rows).toMatchObject([{ phoneNumber: '+14155550100', row: { variables: { number: '7' } } }]);
  });

  it('that cannot be used are told by number, column and reason, and the others are kept', async () => {
    const { outcome, rows } = await readBytes(
      `phone,note,timezone\n+14155550100,a,\n,b,\nabc defghi 1,c,\n+14155550199,d,\n4155550100,e,\n+14155550102,${'x'.repeat(2_001)},\n+14155550103,g,Mars/Base\n`,
      { suppressed: ['+14155550199'] },
    );
    expect(rows).toHaveLength(1);
    expect(outcome.report).toEqual({
      ...{ rows: 7, accepted: 1, rejected: 5, duplicates: 1, columns: ['phone', 'note', 'timezone'] },
      errors: [
        { row: 3, column: 'phone', code: 'MISSING_PHONE', message: 'row 3, phone: has no phone number' },
        {
          row: 4,
          column: 'phone',
          code: 'INVALID_PHONE',
          message: expect.stringContaining('row 4, phone: is'),
        },
        {
          row: 5,
          column: 'phone',
          code: 'SUPPRESSED',
          message: 'row 5, phone: is a number that must not be called',
        },
        {
          row: 6,
          column: 'phone',
          code: 'DUPLICATE',
          message: 'row 6, phone: is a number that an earlier row has',
        },
        { row: 7, column: 'note', code: 'ROW_TOO_LONG', message: 'row 7, note: is too long' },
        { row: 8, column: 'timezone', code: 'INVALID_PHONE', message: expect.stringContaining('time zone') },
      ],
    });
  });

  it('keep the first hundred errors', async () => {
    const { outcome } = await readBytes(`phone\n+14155550100\n${'x\n'.repeat(500)}`);
    expect(outcome.report).toMatchObject({ rows: 501, rejected: 500 });
    expect(outcome.report?.errors).toHaveLength(100);
    expect(outcome.report?.errors.at(-1)).toMatchObject({ row: 102 });
  });

  it('with a number again are left out, called too, or a reason to refuse the file', async () => {
    const file = 'phone\n+14155550100\n4155550100\n+14155550101\n(415) 555-0100\n';
    const first = await readBytes(file);
    expect(first.outcome.report).toMatchObject({ rows: 4, accepted: 2, duplicates: 2 });
    expect(first.rows.map(({ rowNumber }) => rowNumber)).toEqual([2, 4]);
    const all = await readBytes(file, { duplicates: 'all' });
    expect(all.outcome.report).toMatchObject({ rows: 4, accepted: 4, duplicates: 0 });
    const { outcome } = await readBytes(file, { duplicates: 'reject' });
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'FILE_INVALID',
        message: '2 rows have a number that an earlier row has, first in rows 3, 5',
      },
    });
  });

  it('are each accepted, rejected or a duplicate, whatever the file', async () => {
    const random = randomOf(7);
    const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T; // never empty
    const phone = () =>
      pick([
        `+1415555${Math.floor(random() * 60) + 1000}`,
        '',
        'x',
        '911',
        '+19005551234',
        '+4930123456',
        '"a\nb"',
        ' ',
      ]);
    for (let round = 0; round < 30; round += 1) {
      const count = Math.floor(random() * 60);
      const lines = Array.from(
        { length: count },
        () => `${phone()},${pick(['', 'v', '"q""q"', 'y'.repeat(2_500)])}`,
      );
      const { outcome, rows } = await readBytes(`phone,note\n${lines.join('\n')}\n`, {
        duplicates: pick(['first', 'all']),
        suppressed: ['+14155551007'],
      });
      const report = outcome.report ?? undefined;
      if (report === undefined) throw new Error('no report');
      expect(report.rows).toBe(report.accepted + report.rejected + report.duplicates);
      expect(report.accepted).toBe(rows.length);
      expect(report.errors).toHaveLength(Math.min(100, report.rejected + report.duplicates));
      expect(new Set(rows.map(({ rowNumber }) => rowNumber)).size).toBe(rows.length);
    }
  });
});

describe('a set of numbers', () => {
  it('is exact', () => {
    const random = randomOf(3);
    const set = new NumberSet();
    const expected = new Set<number>();
    let wrong = 0;
    for (let i = 0; i < 80_000; i += 1) {
      const number = 10_000_000_000 + Math.floor(random() * 150_000) * (i % 3 === 0 ? 1 : 6_700_417);
      if (set.add(number) === expected.has(number)) wrong += 1;
      expected.add(number);
    }
    expect(wrong).toBe(0);
    expect(set.size).toBe(expected.size);
    expect(set.has(999_999_999_999_999)).toBe(false);
  });
});
