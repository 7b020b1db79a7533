import { describe, expect, it } from '@jest/globals';
import { archiveOf, inline, partsOf, workbookOf } from '@parlance/fixtures/spreadsheets';
import { readBytes } from './testing/reading.js';

const fileName = 'people.xlsx';
const read = (content: Buffer, limits = {}) =>
  readBytes(content, {
    fileName,
    limits: { maxRows: 1e6, maxBytes: 1e8, maxInflatedBytes: 200 * 1024 * 1024, ...limits },
  });
const two = inline(['phone_number', 'Name'], ['+14155550100', 'Zoë'], ['+14155550101', 'O, Neil']);

describe('a spreadsheet', () => {
  const shared =
    '<si><t>phone_number</t></si><si><r><t>Na</t></r><r><t>me</t></r></si><si><t>Zoë</t><rPh><t>x</t></rPh></si>';
  const sharedRows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
    '<row r="2"><c r="A2"><v>14155550100</v></c><c r="B2" t="s"><v>2</v></c></row>' +
    '<row r="3"><c r="A3"><v>1.4155550101E10</v></c><c r="B3" t="str"><f>"O, "&amp;"Neil"</f><v>O, Neil</v></c></row>';

  it.each([
    ['strings in their cells', workbookOf({ sheets: [{ rows: two }] })],
    [
      'shared strings, numbers, and what a formula came to',
      workbookOf({ sheets: [{ rows: sharedRows }], strings: shared }),
    ],
    [
      'a hidden sheet before the visible one',
      workbookOf({ sheets: [{ rows: inline(['x']), isHidden: true }, { rows: two }] }),
    ],
    [
      'a second sheet',
      workbookOf({ sheets: [{ rows: two }, { rows: inline(['phone'], ['+14155550109']) }] }),
    ],
    [
      'names of parts and elements as other writers have them',
      archiveOf(
        partsOf({ sheets: [{ rows: two }] }).map(({ name, content }) => ({
          name: name.replace('xl/worksheets/s', 'XL/Worksheets/S'),
          content: String(content).replaceAll(/<(\/?)(row|c|is|t|worksheet|sheetData)\b/g, '<$1x:$2'),
        })),
      ),
    ],
  ])('is read the same with %s', async (_, content) => {
    const { outcome, rows } = await read(content);
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

  it('has the row numbers that a person sees, and its cells under their own columns', async () => {
    const rows =
      '<row r="1"><c r="A1" t="str"><v>phone</v></c><c r="C1" t="str"><v>c</v></c></row>' +
      '<row r="7"><c r="A7"><v>14155550100</v></c><c r="C7" t="b"><v>1</v></c></row>' +
      '<row r="9"><c r="A9" t="e"><v>#N/A</v></c><c r="C9"><v>0.1</v></c></row>';
    const { outcome, rows: read9 } = await read(workbookOf({ sheets: [{ rows }] }));
    expect(read9).toMatchObject([{ rowNumber: 7, row: { variables: { c: 'TRUE' } } }]);
    expect(outcome.report?.errors).toMatchObject([{ row: 9, code: 'MISSING_PHONE' }]);
  });

  it('says dates as dates', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]&quot;day&quot; yyyy\\-mm"/><numFmt numFmtId="165" formatCode="[Red]0.00&quot;h&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const cell = (style: number, value: number) => `<c s="${style}"><v>${value}</v></c>`;
    const rows =
      inline(['phone', 'a', 'b', 'c', 'd', 'e']) +
      `<row><c><v>14155550100</v></c>${cell(0, 45678)}${cell(1, 45678)}${cell(2, 45678.5)}${cell(3, 45678)}${cell(1, 0.75)}</row>`;
    const { rows: found } = await read(workbookOf({ sheets: [{ rows }], styles }));
    expect(found[0]?.row.variables).toEqual({
      a: '45678',
      b: '2025-01-21',
      c: 'day 2025-01',
      d: '45678.00h',
      e: '18:00',
    });
  });

  it('shows numbers as their formats do, and takes all digits of a telephone number', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="000000000000"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="11"/><xf numFmtId="3"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const cell = (style: number, value: string) => `<c s="${style}"><v>${value}</v></c>`;
    const rows =
      inline(['phone', 'sum', 'discount', 'zip']) +
      `<row>${cell(3, '14155550100')}${cell(0, '0.30000000000000004')}${cell(1, '0.25')}${cell(2, '2134')}</row>` +
      `<row>${cell(4, '14155550101')}${cell(0, '102.71745296899999')}${cell(1, '1.1399999999999999')}${cell(0, '-0')}</row>` +
      `<row>${cell(5, '4915123456789')}${cell(0, '1E400')}${cell(0, '7'.repeat(400))}${cell(0, '0x10')}</row>`;
    const { rows: found } = await read(workbookOf({ sheets: [{ rows }], styles }));
    expect(found.map(({ phoneNumber, row }) => ({ phoneNumber, ...row.variables }))).toEqual([
      { phoneNumber: '+14155550100', sum: '0.3', discount: '25%', zip: '02134' },
      { phoneNumber: '+14155550101', sum: '102.717452969', discount: '114%', zip: '0' },
      { phoneNumber: '+4915123456789', sum: '1E400', discount: '7'.repeat(400), zip: '0x10' },
    ]);
  });

  it('finds each of many strings, wherever it lies', async () => {
    const count = 30_000;
    const text = (i: number) => `Zoë ${i} ${'ü'.repeat(i % 50)}`;
    const strings = Array.from({ length: count }, (_, i) => `<si><t>${text(i)}</t></si>`).join('');
    const rows =
      inline(['phone', 'note']) +
      Array.from(
        { length: count },
        (_, i) => `<row><c><v>${14152000000 + i}</v></c><c t="s"><v>${(i * 7919) % count}</v></c></row>`,
      ).join('');
    const { rows: found } = await read(workbookOf({ sheets: [{ rows }], strings }));
    expect(found).toHaveLength(count);
    expect(found.every(({ row }, i) => row.variables.note === text((i * 7919) % count).trim())).toBe(true);
  });
});

describe('a spreadsheet that cannot be used is refused:', () => {
  const laughs =
    '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>';

  it.each([
    [
      'a billion laughs',
      workbookOf({ sheets: [{ rows: inline(['phone'], ['&lol2;']) }], prologue: laughs }),
      'FILE_INVALID',
      /document type/,
    ],
    [
      'an entity that nobody declared',
      workbookOf({ sheets: [{ rows: inline(['phone'], ['&lol;']) }] }),
      'FILE_INVALID',
      /damaged/,
    ],
    [
      'an archive of something else',
      archiveOf([{ name: 'readme.txt', content: 'x' }]),
      'FILE_TYPE_MISMATCH',
      /not an .xlsx/,
    ],
    [
      'an archive that was cut off',
      workbookOf({ sheets: [{ rows: two }] }).subarray(0, 500),
      'FILE_INVALID',
      /damaged/,
    ],
    ['XML that was cut off', workbookOf({ sheets: [{ rows: `${two}<row>` }] }), 'FILE_INVALID', /damaged/],
    [
      'only hidden sheets',
      workbookOf({ sheets: [{ rows: two, isHidden: true }] }),
      'FILE_INVALID',
      /no visible sheet/,
    ],
    ['an empty sheet', workbookOf({ sheets: [{ rows: '' }] }), 'FILE_INVALID', /is empty/],
    [
      'a header only',
      workbookOf({ sheets: [{ rows: inline(['phone']) }] }),
      'FILE_INVALID',
      /a header and no rows/,
    ],
    [
      'no phone column',
      workbookOf({ sheets: [{ rows: inline(['name'], ['x']) }] }),
      'FILE_INVALID',
      /no column has the phone numbers/,
    ],
    [
      'too many parts',
      archiveOf(Array.from({ length: 1_001 }, (_, i) => ({ name: `p${i}`, content: '' }))),
      'FILE_INVALID',
      /more than 1000 parts/,
    ],
  ])('%s', async (_, content, code, message) => {
    const { outcome } = await read(content);
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code, message: expect.stringMatching(message) },
    });
  });

  it('one that unpacks to more than it may', async () => {
    const { outcome } = await read(workbookOf({ sheets: [{ rows: two }] }), { maxInflatedBytes: 500 });
    expect(outcome).toMatchObject({ refusal: { code: 'FILE_TOO_LARGE' } });
  });

  it.each([
    ['that says so', undefined, /a hundred times its size/],
    ['that says it is small', 2_000, /damaged/],
  ])('a bomb %s, in time, within 50 MiB', async (_, claimedBytes, message) => {
    const rows = `${inline(['phone'])}<row>${' '.repeat(60 * 1024 * 1024)}</row>`;
    const parts = partsOf({ sheets: [{ rows }] });
    const bomb = archiveOf(
      parts.map((part) =>
        part.name.includes('sheet0') && claimedBytes !== undefined ? { ...part, claimedBytes } : part,
      ),
    );
    const before = process.memoryUsage.rss();
    const start = performance.now();
    const { outcome } = await read(bomb);
    expect(performance.now() - start).toBeLessThan(30_000);
    expect((process.memoryUsage.rss() - before) / 1024 / 1024).toBeLessThan(50);
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code: 'FILE_INVALID', message: expect.stringMatching(message) },
    });
  });
});
