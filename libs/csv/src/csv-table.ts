// Rows as lines of CSV (RFC 4180), safe to open in a spreadsheet.

export type CsvValue = string | number | null;

export interface CsvTable<Row> {
  readonly header: string;
  readonly lines: (rows: readonly Row[]) => string;
}

/** A spreadsheet takes a cell that begins so for a formula, and would run it. */
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;

const cellOf = (value: CsvValue): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const lineOf = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(',')}\r\n`;

/** @param columns by their names in the header, in order */
export const csvTable = <Row>(columns: Readonly<Record<string, (row: Row) => CsvValue>>): CsvTable<Row> => ({
  header: lineOf(Object.keys(columns)),
  lines: (rows) => rows.map((row) => lineOf(Object.values(columns).map((column) => column(row)))).join(''),
});
