import { describe, expect, it } from '@jest/globals';
import { readBytes } from './testing/reading.js';

const utf16 = (text: string, byteOrder: 'le' | 'be', mark = true): Buffer => {
  const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');
  return byteOrder === 'le' ? bytes : bytes.swap16();
};

const comma = 'phone_number,Name\n+14155550100,Zoë\n+14155550101,"O, Neil"\n';
const semicolon = 'phone_number;Name\n+14155550100;Zoë\n+14155550101;"O, Neil"\n';

const dialects: Readonly<Record<string, string | Buffer>> = {
  'UTF-8': comma,
  'UTF-8 with a mark': `\ufeff${comma}`,
  'UTF-16, little end first': utf16(comma, 'le'),
  'UTF-16, big end first': utf16(comma, 'be'),
  'UTF-16 without a mark': utf16(comma, 'le', false),
  'UTF-16 without a mark, big end first': utf16(comma, 'be', false),
  'Windows-1252': Buffer.from(comma, 'latin1'),
  semicolons: semicolon,
  'semicolons in Windows-1252': Buffer.from(semicolon, 'latin1'),
  tabs: 'phone_number\tName\n+14155550100\tZoë\n+14155550101\tO, Neil\n',
  'tabs in UTF-16, as Excel saves Unicode text': utf16(
    'phone_number\tName\r\n+14155550100\tZoë\r\n+14155550101\tO, Neil\r\n',
    'le',
  ),
  bars: 'phone_number|Name\n+14155550100|Zoë\n+14155550101|O, Neil\n',
  'line ends of Windows': comma.replaceAll('\n', '\r\n'),
  'line ends of old Macs': comma.replaceAll('\n', '\r'),
  'mixed line ends': comma.replace('\n', '\r\n'),
  'no end of the last line': comma.trimEnd(),
  'everything in quotes': '"phone_number","Name"\n"+14155550100","Zoë"\n"+14155550101","O, Neil"\n',
  "a line with Excel's hint": `sep=;\r\n${semicolon}`,
  'spaces around names and values': ' phone_number , Name \n +14155550100 , Zoë \n +14155550101 ,"O, Neil"\n',
};

/** A hundred different words, of which each may be unreadable by accident. */
const westernNames = [
  'Zoë',
  'José',
  'Hélène',
  'François',
  'João',
  'Søren',
  'Åsa',
  'Nicolò',
  'Anaïs',
  'Gisèle',
].flatMap((first, row) =>
  ['Müller', 'Muñoz', 'Lefèvre', 'Côté', 'Conceição', 'Bjørnson', 'Öberg', 'Benoît', 'García', 'Novák'].map(
    (last, column) => `${first} ${last}${row}${column}`,
  ),
);

describe('text', () => {
  it.each(Object.keys(dialects))('is read the same: %s', async (name) => {
    const { outcome, rows } = await readBytes(dialects[name] ?? '');
    expect(outcome).toEqual({
      kind: 'imported',
      report: {
        rows: 2,
        accepted: 2,
        rejected: 0,
        duplicates: 0,
        columns: ['phone_number', 'Name'],
        errors: [],
      },
    });
    expect(
      rows.map(({ rowNumber, phoneNumber, row }) => [rowNumber, phoneNumber, row.variables.Name]),
    ).toEqual([
      [2, '+14155550100', 'Zoë'],
      [3, '+14155550101', 'O, Neil'],
    ]);
  });

  it('counts rows as a spreadsheet does: quoted line breaks do not, blank lines do', async () => {
    const { outcome, rows } = await readBytes(
      'phone,note\n+14155550100,"two\nlines"\n\n,,\n+14155550101,x\nabc,y\n',
    );
    expect(rows.map(({ rowNumber }) => rowNumber)).toEqual([2, 5]);
    expect(rows[0]?.row.variables.note).toBe('two\nlines');
    expect(outcome.report).toMatchObject({ rows: 3, accepted: 2, rejected: 1 });
    expect(outcome.report?.errors[0]).toMatchObject({
      row: 6,
      message: 'row 6, phone: is an emergency or service number, or too short to be a phone number',
    });
  });

  it('takes rows that are shorter than the header, and rows with empty cells after it', async () => {
    const { rows } = await readBytes('phone,a,b\n+14155550100\n+14155550101,1,2,, ,\n');
    expect(rows.map(({ row }) => row.variables)).toEqual([{}, { a: '1', b: '2' }]);
  });

  it('refuses a row with a cell too many, which is a value that was taken apart', async () => {
    const { outcome, rows } = await readBytes(
      'phone,name\n+14155550100,Smith, Ann\n+14155550101,Bob,one,too many\n+14155550102, "Smith, Ann"\n',
    );
    expect(rows.map(({ row }) => row.variables.name)).toEqual(['Smith, Ann']);
    expect(outcome.report?.errors).toMatchObject([
      {
        row: 2,
        column: null,
        code: 'ROW_TOO_LONG',
        message: expect.stringContaining('row 2: has more cells'),
      },
      { row: 3, code: 'ROW_TOO_LONG' },
    ]);
  });

  it('reads a quoted cell after a space, also between tabs', async () => {
    const { rows } = await readBytes('phone\tname\tcity\n+14155550100\t "Smith\tAnn" \t\n');
    expect(rows[0]?.row.variables).toEqual({ name: 'Smith\tAnn' });
  });

  it('is whole however its characters fall into the chunks that it is read in', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `+1415${2_000_000 + i},Zoë ${'ü'.repeat(i % 7)}`);
    const { outcome, rows } = await readBytes(`phone,name\n${lines.join('\n')}`);
    expect(outcome.report).toMatchObject({ rows: 20_000, accepted: 20_000 });
    expect(rows.every(({ row }, i) => row.variables.name === `Zoë ${'ü'.repeat(i % 7)}`.trim())).toBe(true);
  });
});

describe('a text file that cannot be used is refused with what to change:', () => {
  it.each([
    ['nothing in it', '', 'the file is empty'],
    ['blank lines only', '\n\n,,\n', 'the file is empty'],
    ['a header only', 'phone,name\n', 'the file has a header and no rows'],
    [
      'no phone column',
      'name,city\nZoë,Rome\n',
      'no column has the phone numbers: name one phone_number in the first row',
    ],
    ['no callable row', 'phone\nabc\n', 'none of the 1 rows can be called; the errors say why'],
    ['a quote that is never closed', `phone\n"+1415555\n${'x'.repeat(3_000_000)}`, /a quote is not closed/],
    [
      'too many columns',
      `phone${',c'.repeat(1_000)}\n`,
      'the file has 1001 columns; at most 1000 can be read',
    ],
    [
      'an encoding nobody can tell',
      Buffer.from([0x70, 0x68, 0x6f, 0x6e, 0x65, 0x0a, 0x61, 0x81, 0xff, 0x61]),
      /encoding of the text is not known/,
    ],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x70, 0, 0, 0]), /encoding of the text is not known/],
    [
      'names in an encoding that others share',
      Buffer.from([...Buffer.from('phone,name\n+14155550100,L'), 0xea, ...Buffer.from('k\n')]),
      /save it again as CSV UTF-8/,
    ],
    [
      'a line of Windows-1252 in a text in UTF-8',
      Buffer.concat([Buffer.from(comma), Buffer.from('+14155550102,Chloé\n', 'latin1')]),
      /^line 4 is in another encoding than the rest/,
    ],
    [
      'such a line after a byte order mark',
      Buffer.concat([Buffer.from('\ufeffphone\n'), Buffer.from('+14155550102,Chloé\n', 'latin1')]),
      /^line 2 is in another encoding than the rest/,
    ],
    [
      'a line of UTF-8 in a text in Windows-1252',
      Buffer.concat([
        Buffer.from(`phone,name\n${'+14155550100,Zoë\n'.repeat(20)}`, 'latin1'),
        Buffer.from('+14155550102,Chloé\n'),
      ]),
      /^line 22 is in another encoding than the rest/,
    ],
    [
      'a Polish line in a long text in Windows-1252',
      Buffer.from(
        `phone,name\n${westernNames.map((name, i) => `+1415${5_550_100 + i},${name}\n`).join('')}+14155551000,\u00a3ukasz\n`,
        'latin1',
      ),
      /^line 102 is in another encoding than the rest/,
    ],
    [
      'single bytes after a text in UTF-16',
      Buffer.concat([
        utf16('phone,name\n+14155550100,Zoë\n', 'le'),
        Buffer.from('+14155550101,Ada\n+14155550102,Bob\n'),
      ]),
      /^line 3 is in another encoding than the rest/,
    ],
  ])('%s', async (_, content, message) => {
    const { outcome } = await readBytes(content);
    if (outcome.kind === 'imported') throw new Error('was taken');
    expect(outcome.refusal.code).toBe('FILE_INVALID');
    expect(outcome.refusal.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('more rows than allowed', async () => {
    const limits = { maxRows: 2, maxBytes: 1e6, maxInflatedBytes: 1e6 };
    const { outcome } = await readBytes('phone\n+14155550100\nx\n+14155550101\n', { limits });
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code: 'FILE_TOO_LARGE', message: 'the file has more than 2 rows' },
    });
  });

  it.each([
    ['a spreadsheet named .csv', Buffer.from('PK\u0003\u0004xxxx'), 'a.csv'],
    ['text named .xlsx', 'phone\n+14155550100\n', 'a.xlsx'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0]), 'a.csv'],
    ['an old Excel file', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 'a.xls'],
  ])('%s', async (_, content, fileName) => {
    const { outcome } = await readBytes(content, { fileName });
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'FILE_TYPE_MISMATCH' }, report: null });
  });
});
