// The delimiter between the columns of a text file, and Excel's hint about it.

const delimiters = [',', ';', '\t', '|'] as const;
const excelHint = /^sep=(.)\r?\n/;

export interface Dialect {
  readonly delimiter: string;
  /** Excel's own first line, which no spreadsheet shows. */
  readonly hasHint: boolean;
}

const firstLine = (text: string): string => text.split(/\r\n|\n|\r/).find((line) => line.trim() !== '') ?? '';

const unquoted = (cell: string): string => cell.trim().replaceAll('"', '');

/**
 * The dialect from the beginning of the text: the delimiter that makes a header of the first line, else the most
 * frequent.
 * @param isHeader whether cells could be a header
 */
export const dialectOf = (start: string, isHeader: (cells: readonly string[]) => boolean): Dialect => {
  const hint = excelHint.exec(start)?.[1];
  if (hint !== undefined) return { delimiter: hint, hasHint: true };
  const line = firstLine(start);
  const counted = delimiters.map((delimiter) => ({ delimiter, cells: line.split(delimiter).map(unquoted) }));
  counted.sort((a, b) => b.cells.length - a.cells.length);
  const best = counted.find(({ cells }) => cells.length > 1 && isHeader(cells)) ?? counted[0];
  return { delimiter: best?.delimiter ?? ',', hasHint: false };
};
