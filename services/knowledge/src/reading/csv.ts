// A table as text: each row as lines of "header: value", so that a passage can be understood without its header.
import { parse } from 'csv-parse/sync';
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

const delimiters = [',', ';', '\t'] as const;

const longestHeader = 100_000;

const delimiterOf = (text: string): string => {
  // Titles may hold delimiters and line ends between quotes.
  const first =
    text
      .slice(0, longestHeader)
      .replaceAll(/"[^"]*"/g, '')
      .split(/\r?\n/, 1)[0] ?? '';
  const count = (delimiter: string): number => first.split(delimiter).length;
  return delimiters.reduce((most, one) => (count(one) > count(most) ? one : most));
};

/** @throws ReadFailure */
export const readCsv = (text: string): string => {
  let rows: string[][];
  try {
    rows = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
      to: limits.csvRows + 2,
    });
  } catch (cause) {
    throw new ReadFailure('PARSE_FAILED', 'The table is broken and cannot be read.', { cause });
  }
  if (rows.length > limits.csvRows + 1)
    throw new ReadFailure('TOO_LARGE', `The table has more than ${limits.csvRows} rows.`);
  const [header = [], ...records] = rows;
  const line = (value: string, index: number): string[] => {
    const clean = value.trim().replaceAll(/\s+/g, ' ');
    const title = header[index]?.trim();
    return clean === '' ? [] : [title ? `${title}: ${clean}` : clean];
  };
  return records.map((record) => record.flatMap(line).join('\n')).join('\n\n');
};
