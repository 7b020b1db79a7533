import { describe, expect, it } from '@jest/globals';
import { type CsvValue, csvTable } from './csv-table.js';

const table = csvTable<readonly CsvValue[]>({ first: ([value]) => value ?? null });
const cellOf = (value: CsvValue): string => table.lines([[value]]).slice(0, -2);

describe('a CSV table', () => {
  it('has a header and a line for each row, each ended by CRLF', () => {
    const columns = { id: ({ id }: { readonly id: number }) => id, name: () => 'Ada' };
    expect([csvTable(columns).header, csvTable(columns).lines([{ id: 1 }, { id: 2 }])]).toEqual([
      'id,name\r\n',
      '1,Ada\r\n2,Ada\r\n',
    ]);
  });

  it.each(['=1+1', '+14155550100', '-1', '@SUM(A1)', '\tx', '=', '+', '-', '@', '\t'])(
    'writes %j, which begins like a formula, as text',
    (value) => {
      expect(cellOf(value)).toBe(`'${value}`);
    },
  );

  it('writes a cell that begins with a carriage return, after which a formula may stand, as text', () => {
    expect([cellOf('\r'), cellOf('\r=1+1')]).toEqual([`"'\r"`, `"'\r=1+1"`]);
  });

  it('quotes a cell with a quote, a comma or a line break, also behind its apostrophe', () => {
    expect(cellOf('a "b", c')).toBe('"a ""b"", c"');
    expect(cellOf('=HYPERLINK("x","y")')).toBe('"\'=HYPERLINK(""x"",""y"")"');
    expect(cellOf('\rx')).toBe('"\'\rx"');
  });

  it('writes a number or nothing plainly', () => {
    expect([cellOf(-5), cellOf(0), cellOf(null)]).toEqual(['-5', '0', '']);
  });
});
