// What a person should look at before the rows of a file are called, counted over all rows. A warning keeps no row from
// being called, and never contains the content of a cell.
import type { FileWarning } from '../domain/campaign/campaign-events.js';
import type { HeaderNote } from './columns.js';

const columnsKept = 50;

interface Tally {
  rows: number;
  firstRow: number;
}

const count = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`);
const verb = (rows: number, one: string, many: string): string => (rows === 1 ? one : many);

type ByColumn = Map<string, Tally>;

/** Spreadsheets write these where a formula has no result, or a column is too narrow. Nobody wants to hear them. */
const errorValue = /^#(?:N\/A|NV|\p{Lu}+(?:\/0)?[!?]|#+)$/u;
/** Words that people and exports write where there is nothing to write. */
const noValue = /^(?:n\/a|n\.a\.?|null|nil|none|nan|undefined|-+)$/i;

/** True for the error of a formula: the cell counts as empty. */
export const isErrorValue = (text: string): boolean => text.startsWith('#') && errorValue.test(text);

/** True for a word that stands for an empty cell. It is kept: "None" may be a name. */
export const isNoValue = (text: string): boolean => text.length <= 9 && noValue.test(text);

export class FileWarnings {
  readonly #hidden: Tally = { rows: 0, firstRow: 0 };
  readonly #noValue: ByColumn = new Map();
  readonly #leftOut: ByColumn = new Map();

  /** A row that would be called, and that the spreadsheet does not show. */
  hiddenRow(row: number): void {
    this.#add(this.#hidden, row);
  }

  /** A cell says #N/A, or N/A. */
  cellWithoutValue(column: string, row: number): void {
    this.#addTo(this.#noValue, column, row);
  }

  /** A cell of a column that no text mentions is longer than a value may be. */
  valueLeftOut(column: string, row: number): void {
    this.#addTo(this.#leftOut, column, row);
  }

  list(notes: readonly HeaderNote[]): FileWarning[] {
    return [
      ...this.#ofHidden(),
      ...notes.map((note): FileWarning => ({ ...note, rows: 0, firstRow: null })),
      ...this.#ofColumns(
        'NO_VALUE',
        this.#noValue,
        (rows) =>
          `${verb(rows, 'says', 'say')} N/A, #N/A or the like; a cell with an error counts as empty, and a word is said: empty these cells so that a default is said`,
      ),
      ...this.#ofColumns(
        'VALUE_LEFT_OUT',
        this.#leftOut,
        (rows) =>
          `${verb(rows, 'is', 'are')} too long for a variable and left out; no text mentions the column`,
      ),
    ];
  }

  #ofHidden(): FileWarning[] {
    const { rows, firstRow } = this.#hidden;
    if (rows === 0) return [];
    const message = `${count(rows)} that the spreadsheet hides, by a filter or by hand, ${verb(rows, 'is', 'are')} called like the others: delete ${verb(rows, 'it', 'them')} from the file to leave ${verb(rows, 'it', 'them')} out`;
    return [{ code: 'HIDDEN_ROWS', column: null, rows, firstRow, message }];
  }

  #ofColumns(code: FileWarning['code'], columns: ByColumn, textOf: (rows: number) => string): FileWarning[] {
    return [...columns].map(([column, { rows, firstRow }]) => ({
      code,
      column,
      rows,
      firstRow,
      message: `${column}: ${verb(rows, 'a cell', `${rows} cells`)}, ${rows === 1 ? '' : 'first '}in row ${firstRow}, ${textOf(rows)}`,
    }));
  }

  #addTo(columns: ByColumn, column: string, row: number): void {
    const known = columns.get(column);
    if (known === undefined && columns.size === columnsKept) return;
    const tally = known ?? { rows: 0, firstRow: 0 };
    if (known === undefined) columns.set(column, tally);
    this.#add(tally, row);
  }

  #add(tally: Tally, row: number): void {
    if (tally.rows === 0) tally.firstRow = row;
    tally.rows += 1;
  }
}
