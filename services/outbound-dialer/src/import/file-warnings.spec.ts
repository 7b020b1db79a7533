import { describe, expect, it } from '@jest/globals';
import { inline, workbookOf } from '@parlance/fixtures/spreadsheets';
import { isErrorValue, isNoValue } from './file-warnings.js';
import { readBytes } from './testing/reading.js';

describe('a cell without a value', () => {
  it.each(['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NV', '#WERT!', '#BEZUG!', '#######'])(
    'is %s, an error of a formula',
    (text) => {
      expect(isErrorValue(text)).toBe(true);
    },
  );

  it.each(['#1', '#hashtag', '# of items', '#A1B2C3', '#'])('is not %s', (text) => {
    expect(isErrorValue(text)).toBe(false);
  });

  it.each(['N/A', 'n/a', 'NULL', 'none', 'NaN', '-', '--'])('may be written as %s', (text) => {
    expect(isNoValue(text)).toBe(true);
  });

  it.each(['Nathan', 'Noneta', 'nullable', 'a-b', '-1'])('is not written as %s', (text) => {
    expect(isNoValue(text)).toBe(false);
  });

  it('is absent when it is empty or an error, so that a default is said', async () => {
    const { outcome, rows } = await readBytes(
      'phone,name,plan\n+14155550110,,#N/A\n+14155550111, \u00a0 ,N/A\n+14155550112,Zoë,gold\n#REF!,x,y\n',
    );
    expect(rows.map(({ row }) => row.variables)).toEqual([
      {},
      { plan: 'N/A' },
      { name: 'Zoë', plan: 'gold' },
    ]);
    expect(outcome.report).toMatchObject({
      errors: [{ row: 5, code: 'MISSING_PHONE' }],
      warnings: [{ code: 'NO_VALUE', column: 'plan', rows: 2, firstRow: 2 }],
    });
  });

  it('is kept as it is written where it is an odd number', async () => {
    const digits = '7'.repeat(400);
    const { rows } = await readBytes(`phone,a,b,c\n+14155550100,${digits},1E400,-0\n`);
    expect(rows[0]?.row.variables).toEqual({ a: digits, b: '1E400', c: '-0' });
  });
});

describe('rows that the spreadsheet hides', () => {
  it('are called, and counted with the first of them', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = `${inline(['phone'])}<row r="2">${cell('+14155550100')}</row><row r="3" hidden="1">${cell('+14155550101')}</row><row r="4" ht="0">${cell('+14155550102')}</row><row r="5" hidden="true">${cell('no number')}</row><row r="6" hidden="0">${cell('+14155550103')}</row>`;
    const { outcome, rows: read } = await readBytes(workbookOf({ sheets: [{ rows }] }), {
      fileName: 'people.xlsx',
    });
    expect(read.map(({ rowNumber }) => rowNumber)).toEqual([2, 3, 4, 6]);
    expect(outcome.report?.warnings).toMatchObject([
      { code: 'HIDDEN_ROWS', rows: 2, firstRow: 3, message: expect.stringContaining('2 rows that') },
    ]);
  });
});

describe('a cell that is too long', () => {
  const content = `phone,notes\n+14155550100,${'x'.repeat(3_000)}\n`;

  it('is left out where no text mentions its column, and refuses its row where one does', async () => {
    const left = await readBytes(content, { agent: { mentioned: [], allowedOverrides: [] } });
    expect(left.rows[0]?.row.variables).toEqual({});
    expect(left.outcome.report?.warnings).toMatchObject([
      { code: 'VALUE_LEFT_OUT', column: 'notes', rows: 1, firstRow: 2 },
    ]);
    const refused = await readBytes(content, { agent: { mentioned: ['notes'], allowedOverrides: [] } });
    expect(refused.outcome.report?.errors).toMatchObject([{ row: 2, code: 'ROW_TOO_LONG' }]);
  });
});
