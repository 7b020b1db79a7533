import { describe, expect, it } from '@jest/globals';
import { cellOf } from './csv.js';

describe('a cell', () => {
  it.each(['=1+1', '+14155550100', '-1', '@SUM(A1)', '\tx', '=', '+', '-', '@', '\t'])(
    'that begins like a formula, %j, is text',
    (value) => {
      expect(cellOf(value)).toBe(`'${value}`);
    },
  );

  it('that begins with a carriage return, after which a formula may stand, is text', () => {
    expect([cellOf('\r'), cellOf('\r=1+1')]).toEqual([`"'\r"`, `"'\r=1+1"`]);
  });

  it('with a quote, a comma or a line break is quoted, also behind its apostrophe', () => {
    expect(cellOf('a "b", c')).toBe('"a ""b"", c"');
    expect(cellOf('=HYPERLINK("x","y")')).toBe('"\'=HYPERLINK(""x"",""y"")"');
    expect(cellOf('\rx')).toBe('"\'\rx"');
  });

  it('of a number or of nothing is plain', () => {
    expect([cellOf(-5), cellOf(0), cellOf(null)]).toEqual(['-5', '0', '']);
  });
});
