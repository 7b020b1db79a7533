// Rows of a sheet become recipients: each is accepted, rejected with a reason, or a duplicate; nothing else can happen to it.
import { storableText } from '@parlance/contracts';
import { timeZoneNamed, timeZoneProblem } from '@parlance/contracts/time-zones';
import type { FileReport } from '../campaign/campaign-events.js';
import { timeZonesOf, zonesOfRow } from '../recipients/time-zones.js';
import { type Columns, hasPhoneColumn, type Override, readHeader } from './columns.js';
import {
  type ImportedRow,
  type ImportRules,
  type RefusedRow,
  refuse,
  type SheetRow,
} from './import-types.js';
import { digitsAsNumber, NumberSet } from './number-set.js';
import { PhoneReader } from './phone-cell.js';

type RowErrorCode = FileReport['errors'][number]['code'];

const errorsKept = 100;
const maxCellBytes = 8 * 1024;
/** The longest value for a prompt, as the contract has it for a quick call. */
const maxValueLength = 2_000;
const maxLengths: Readonly<Record<Override, number>> = {
  firstMessage: 2_000,
  systemPrompt: 100_000,
  language: 35,
  voiceId: 128,
  timezone: 64,
  externalId: 2_000,
};

const isTooLong = (value: string, most: number): boolean =>
  value.length > most || (value.length * 3 > maxCellBytes && Buffer.byteLength(value) > maxCellBytes);

const shownCharacters = 64;
/** The beginning of the cell; a character that the end cuts in two is left out, because it cannot be stored. */
const shownCell = (cell: string): string | null =>
  storableText(cell.trim().slice(0, shownCharacters)) || null;

/** A row that cannot be used. */
interface Rejection {
  readonly column: string | null;
  readonly code: RowErrorCode;
  readonly message: string;
}
const reject = (code: RowErrorCode, column: string | null, message: string): Rejection => ({
  code,
  column,
  message,
});

export class RowReader {
  readonly #rules: ImportRules;
  readonly #phones: PhoneReader;
  readonly #suppressed: NumberSet;
  readonly #seen = new NumberSet();
  readonly #zones = new Map<string, readonly [string] | string>();
  readonly #errors: FileReport['errors'] = [];
  #refusedRows: RefusedRow[] = [];
  #columns: Columns | undefined;
  #rows = 0;
  #accepted = 0;
  readonly #refused = { INVALID_PHONE: 0, DUPLICATE: 0, MISSING_PHONE: 0, ROW_TOO_LONG: 0, SUPPRESSED: 0 };

  constructor(rules: ImportRules) {
    this.#rules = rules;
    this.#phones = new PhoneReader(rules.plan);
    this.#suppressed = NumberSet.of(rules.suppressed);
  }

  /** Undefined before the header was read. */
  get columns(): Columns | undefined {
    return this.#columns;
  }

  /** Rows with something in them, without the header. */
  get rows(): number {
    return this.#rows;
  }

  /** The number of rows that each reason has kept from being called. */
  get refused(): Readonly<Record<RowErrorCode, number>> {
    return this.#refused;
  }

  /** Rows that cannot be called and were not taken yet. */
  get refusedRows(): readonly RefusedRow[] {
    return this.#refusedRows;
  }

  takeRefusedRows(): readonly RefusedRow[] {
    const taken = this.#refusedRows;
    this.#refusedRows = [];
    return taken;
  }

  /** Null before the header was read. */
  get report(): FileReport | null {
    if (this.#columns === undefined) return null;
    const duplicates = this.#refused.DUPLICATE;
    return {
      rows: this.#rows,
      accepted: this.#accepted,
      rejected: this.#rows - this.#accepted - duplicates,
      duplicates,
      columns: [...this.#columns.names],
      errors: this.#errors,
    };
  }

  /**
   * The first row with something in it is the header; rows with nothing in them do not count.
   * @throws FileRefused
   */
  read({ rowNumber, cells }: SheetRow): ImportedRow | undefined {
    if (cells.every((cell) => cell.trim() === '')) return undefined;
    if (this.#columns === undefined) {
      this.#columns = readHeader(cells, this.#rules.columns);
      return undefined;
    }
    if (this.#rows === this.#rules.limits.maxRows)
      throw refuse('FILE_TOO_LARGE', `the file has more than ${this.#rules.limits.maxRows} rows`);
    this.#rows += 1;
    const found = this.#recipient(rowNumber, cells, this.#columns);
    if (!('code' in found)) return found;
    this.#refused[found.code] += 1;
    this.#note(rowNumber, cells[this.#columns.phone] ?? '', found);
    return undefined;
  }

  /** @throws FileRefused for a file without a single recipient, or with duplicates where there may be none */
  finish(): FileReport {
    const { report } = this;
    if (report === null) throw refuse('FILE_INVALID', 'the file is empty');
    if (report.rows === 0) throw refuse('FILE_INVALID', 'the file has a header and no rows');
    if (this.#rules.duplicates === 'reject' && report.duplicates > 0) throw this.#refuseDuplicates(report);
    if (report.accepted === 0)
      throw refuse('FILE_INVALID', `none of the ${report.rows} rows can be called; the errors say why`);
    return report;
  }

  #refuseDuplicates({ duplicates, errors }: FileReport): Error {
    const rows = errors.filter(({ code }) => code === 'DUPLICATE').map(({ row }) => row);
    const named =
      rows.length === 0 ? '' : `, first in row${rows.length > 1 ? 's' : ''} ${rows.slice(0, 5).join(', ')}`;
    return refuse('FILE_INVALID', `${duplicates} rows have a number that an earlier row has${named}`);
  }

  #recipient(rowNumber: number, cells: readonly string[], columns: Columns): ImportedRow | Rejection {
    const phoneColumn = columns.all[columns.phone]?.name ?? null;
    const cell = cells[columns.phone] ?? '';
    if (cell.trim() === '') return reject('MISSING_PHONE', phoneColumn, 'has no phone number');
    if (isTooLong(cell, maxValueLength)) return reject('ROW_TOO_LONG', phoneColumn, 'is too long');
    const phone = this.#phones.read(cell);
    if (phone.kind === 'invalid') return reject('INVALID_PHONE', phoneColumn, phone.message);
    const read = this.#readCells(cells, columns);
    if ('code' in read) return read;
    const digits = digitsAsNumber(phone.number);
    if (this.#suppressed.has(digits))
      return reject('SUPPRESSED', phoneColumn, 'is a number that must not be called');
    // Last, so that a row that is rejected does not make a duplicate of a good one.
    if (this.#rules.duplicates !== 'all' && !this.#seen.add(digits))
      return reject('DUPLICATE', phoneColumn, 'is a number that an earlier row has');
    this.#accepted += 1;
    const { timeZone, row } = read;
    const { number: phoneNumber } = phone;
    const timeZones = timeZone === undefined ? timeZonesOf(phoneNumber) : zonesOfRow(timeZone, phoneNumber);
    return { rowNumber, phoneNumber, timeZones, row };
  }

  #readCells(
    cells: readonly string[],
    columns: Columns,
  ): (Pick<ImportedRow, 'row'> & { timeZone?: readonly [string] }) | Rejection {
    const variables: Record<string, string> = {};
    const overrides: Partial<Record<Override, string>> = {};
    let index = -1;
    for (const column of columns.all) {
      index += 1;
      if (column.kind === 'nameless' || (column.kind === 'phone' && column.fills.length === 0)) continue;
      const value = cells[index]?.trim() ?? '';
      const most = column.kind === 'override' ? maxLengths[column.field] : maxValueLength;
      if (isTooLong(value, most)) return reject('ROW_TOO_LONG', column.name, 'is too long');
      if (column.kind !== 'override') for (const name of column.fills) variables[name] = value;
      else if (value !== '') overrides[column.field] = value;
    }
    const { timezone, ...others } = overrides;
    const username = columns.username === undefined ? variables.username : cells[columns.username]?.trim();
    const row = { variables, ...others, ...(username ? { username } : {}) };
    if (timezone === undefined) return { row };
    const timeZone = this.#zoneNamed(timezone);
    // The contract has no code of its own for this error; the column name makes the message clear.
    if (typeof timeZone === 'string') return reject('INVALID_PHONE', 'timezone', timeZone);
    return { row, timeZone };
  }

  /** The zone of that name, or what is wrong with the name. */
  #zoneNamed(name: string): readonly [string] | string {
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const zone = timeZoneNamed(name);
    const read = zone === undefined ? timeZoneProblem(name) : Object.freeze([zone] as const);
    // A copy, because a slice of the file's text keeps the whole text in memory.
    if (this.#zones.size < 1_000) this.#zones.set(Buffer.from(name).toString(), read);
    return read;
  }

  #note(row: number, phoneCell: string, { column, code, message: what }: Rejection): void {
    const where = column === null ? `row ${row}` : `row ${row}, ${column}`;
    const message = storableText(`${where}: ${what}`);
    const phoneNumber = shownCell(phoneCell);
    this.#refusedRows.push({ rowNumber: row, phoneNumber, code, message });
    if (this.#errors.length < errorsKept) this.#errors.push({ row, column, code, message });
  }

  /** Whether these cells could be the header; helps to guess the delimiter of the columns. */
  isHeader(cells: readonly string[]): boolean {
    return hasPhoneColumn(cells, this.#rules.columns);
  }
}
