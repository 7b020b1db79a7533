// Text is taken apart as the parser would do it, wherever its first quote stands and wherever it is cut.
import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CsvText } from './csv-rows.js';
import type { SheetRow } from './sheet/sheet-row.js';
import type { Dialect } from './text-format.js';

const takenApart = async (chunks: readonly string[], dialect: Dialect): Promise<SheetRow[]> => {
  const rows: SheetRow[] = [];
  const text = new CsvText(dialect, (row) => rows.push(row));
  try {
    for (const chunk of chunks) await text.write(chunk);
    await text.end();
    return rows;
  } finally {
    text.destroy();
  }
};

/** The rows by the library alone; undefined where it gives up. */
const parsed = (text: string, { delimiter, hasHint }: Dialect): string[][] | undefined => {
  try {
    return parse(text, {
      delimiter,
      from_line: hasHint ? 2 : 1,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    });
  } catch {
    return undefined;
  }
};

const pieces = fc.constantFrom('a', 'é', '𝒳', ' ', ',', ';', '\n', '\r', '\r\n', '\r\r\n', '+4930123456');
const plain = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
const quoted = fc
  .array(fc.oneof(pieces, fc.constantFrom('"', '""', '"a"', '"a\nb"', ',"')), { maxLength: 15 })
  .map((parts) => parts.join(''));
const cuts = fc.array(fc.nat(40), { maxLength: 6 });

/** Cuts lie between characters, because the decoder never cuts a character in two. */
const cutAt = (text: string, at: readonly number[]): string[] => {
  const all = [...text];
  const places = [0, ...at.filter((place) => place <= all.length).sort((a, b) => a - b), all.length];
  return places.slice(1).map((end, index) => all.slice(places[index], end).join(''));
};

/** Spaces around cells, and rows without anything in them, are the same to the reader of rows. */
const withContent = (rows: readonly SheetRow[]): SheetRow[] =>
  rows
    .map(({ rowNumber, cells }) => ({ rowNumber, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));

describe('text in rows', () => {
  it('is what the parser says of the whole of it, quoted or not, however it is cut', async () => {
    const anything = fc.tuple(plain, quoted, cuts, fc.constantFrom(',', ';'), fc.boolean());
    await fc.assert(
      fc.asyncProperty(anything, async ([start, end, at, delimiter, hasHint]) => {
        const text = `${hasHint ? `sep=${delimiter}\r\n` : ''}${start}${end}`;
        const expected = parsed(text, { delimiter, hasHint });
        const rows = takenApart(cutAt(text, at), { delimiter, hasHint });
        if (expected === undefined) return expect(rows).rejects.toThrow('a quote is not closed');
        const whole = expected.map((cells, index) => ({ rowNumber: index + 1, cells }));
        expect(withContent(await rows)).toEqual(withContent(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('of one row that is longer than a chunk is left to the parser, and the rows after it too', async () => {
    const long = 'x'.repeat(50_000);
    const chunks = ['phone,name\n+1,', long, long, `${long}\n`, '+2,b\n'];
    const rows = await takenApart(chunks, { delimiter: ',', hasHint: false });
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['phone', 'name'],
      ['+1', long + long + long],
      ['+2', 'b'],
    ]);
  });
});
