// Reads a table of rates from a file of comma-separated values, row by row. Its error names the line of each wrong row,
// up to `mostTold` of them.
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { microsOf } from '../limits/amounts.js';

export interface ReadRates {
  readonly currency: string;
  readonly rates: ReadonlyMap<string, number>;
}

/** A file that is not imported; the message says why, line by line. */
export class RateFileError extends Error {
  override readonly name = 'RateFileError';
}

/** Rows of the largest table; its rates are kept in memory. */
const mostRates = 200_000;
/** The most problems that one error names; the operator mends these first. */
const mostTold = 20;
const largestPriceMicros = 1_000_000_000;

const columns = ['prefix', 'currency', 'price'] as const;
type Column = (typeof columns)[number];
type Row = Readonly<Partial<Record<Column, string>>>;

/** The column of a name in any spelling of the operator. */
const columnOf = (name: string): string => {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ');
  return plain === 'price per started minute' ? 'price' : plain;
};

const checkColumns = (names: readonly string[]): string[] => {
  const found = names.map(columnOf);
  const missing = columns.filter((name) => !found.includes(name));
  if (missing.length === 0) return found;
  throw new RateFileError(
    `The first row has to name the columns prefix, currency and price, separated by commas. Missing: ${missing.join(', ')}.`,
  );
};

interface ReadRow {
  readonly prefix: string;
  readonly currency: string;
  readonly micros: number;
}

/** A row, or the problem that it has by itself. */
const readRow = (row: Row): ReadRow | string => {
  const prefix = (row.prefix ?? '').trim().replace(/^\+/, '');
  const currency = (row.currency ?? '').trim().toUpperCase();
  const price = (row.price ?? '').trim();
  const micros = microsOf(price);
  if (!/^[1-9]\d{0,14}$/.test(prefix))
    return `the prefix has to be 1 to 15 digits, such as 49 or +4930, not "${prefix}"`;
  if (!/^[A-Z]{3}$/.test(currency))
    return `the currency has to be a code of three letters, such as USD, not "${currency}"`;
  if (micros === undefined || micros > largestPriceMicros)
    return `the price has to be a number such as 0.0125, with a point, at most six decimals and at most 1000, not "${price}"`;
  return { prefix, currency, micros };
};

class Collected {
  readonly rates = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  readonly #problems: string[] = [];
  #wrong = 0;
  #currency: string | undefined;

  add(line: number, row: Row): void {
    const read = readRow(row);
    const problem = typeof read === 'string' ? read : this.#keep(line, read);
    if (problem === undefined) return;
    this.#wrong += 1;
    if (this.#problems.length < mostTold) this.#problems.push(`Line ${line}: ${problem}.`);
  }

  result(): ReadRates {
    const currency = this.#currency;
    if (this.#wrong > 0) {
      const more = this.#wrong - this.#problems.length;
      throw new RateFileError([...this.#problems, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
    }
    if (currency === undefined) throw new RateFileError('The file has no rates.');
    return { currency, rates: this.rates };
  }

  /** @returns the conflict of the row with a row above it; undefined when there is none */
  #keep(line: number, { prefix, currency, micros }: ReadRow): string | undefined {
    this.#currency ??= currency;
    if (currency !== this.#currency)
      return `the currency is ${currency}, and ${this.#currency} above: a table has one`;
    const before = this.#lines.get(prefix);
    if (before !== undefined) return `the prefix ${prefix} was in line ${before} already`;
    this.#lines.set(prefix, line);
    this.rates.set(prefix, micros);
    if (this.rates.size > mostRates)
      throw new RateFileError(`The file has more than ${mostRates.toLocaleString('en')} rates.`);
    return undefined;
  }
}

interface Parsed {
  readonly record: Row;
  readonly info: { readonly lines: number };
}

/**
 * Columns beside prefix, currency and price are not looked at; lines that begin with # are comments.
 * @throws RateFileError
 */
export const readRates = async (input: Readable): Promise<ReadRates> => {
  const parser = parse({
    bom: true,
    columns: checkColumns,
    comment: '#',
    comment_no_infix: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: 10_000,
  });
  // A stream that fails ends the parser with the same error, which the loop throws.
  input.once('error', (error) => parser.destroy(error));
  const collected = new Collected();
  try {
    // The parser's records have the columns that `checkColumns` let pass.
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<Parsed>)
      collected.add(info.lines, record);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? `Line ${error.lines}: ` : '';
    throw new RateFileError(`${line}${error.message}`, { cause: error });
  } finally {
    input.destroy();
  }
  return collected.result();
};
