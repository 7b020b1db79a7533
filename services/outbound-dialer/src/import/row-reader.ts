// Rows of a sheet become recipients: each is accepted, rejected with a reason, or a duplicate; nothing else can happen to it. Rows are
// read first and settled later, in the order of the file, when it is known which of their numbers must not be called.
import { storableText } from '@parlance/contracts/text';
import { timeZoneNamed, timeZoneProblem } from '@parlance/contracts/time-zones';
import type { FileReport } from '../domain/campaign/campaign-events.js';
import type { RefusedRow } from '../recipients/recipient-row.js';
import { mayCall } from '../rules/may-call.js';
import { timeZonesOf, zonesOfRow } from '../rules/time-zones.js';
import { digitsAsNumber, NumberSet } from '../suppressions/number-set.js';
import { type Column, type Columns, hasPhoneColumn, type Override, readHeader } from './columns.js';
import { FileWarnings, isErrorValue, isNoValue } from './file-warnings.js';
import type { ImportedRow, ImportRules } from './import-types.js';
import { isAllowed, OverrideRules } from './override-rules.js';
import { PhoneReader } from './phone-cell.js';
import { refuse } from './sheet/file-refusal.js';
import type { SheetRow } from './sheet/sheet-row.js';

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

/** A row that was read: it cannot be used, or its number is to be looked up. */
export interface PendingRow {
  readonly rowNumber: number;
  readonly phoneCell: string;
  readonly isHidden: boolean;
  readonly read: ImportedRow | Rejection;
}

/** The numbers of the rows that may be called, as far as the file says. */
export const numbersOf = (rows: readonly PendingRow[]): string[] =>
  rows.flatMap(({ read }) => ('code' in read ? [] : [read.phoneNumber]));

/** A column of which a row has a value. */
interface ReadColumn {
  readonly column: Column;
  readonly index: number;
  /** The override that the agent allows. */
  readonly override: Override | undefined;
  /** A cell that is too long refuses its row only where something needs the column. */
  readonly isNeeded: boolean;
}

const tooManyCells =
  'has more cells than the header has columns: put a cell with a delimiter in it in quotes, or give each column a header';

export class RowReader {
  readonly #rules: ImportRules;
  readonly #mentioned: ReadonlySet<string>;
  readonly #overrides: OverrideRules | undefined;
  readonly #warnings = new FileWarnings();
  readonly #phones: PhoneReader;
  readonly #seen = new NumberSet();
  readonly #zones = new Map<string, readonly [string] | string>();
  readonly #errors: FileReport['errors'] = [];
  #pending: PendingRow[] = [];
  #refusedRows: RefusedRow[] = [];
  #columns: Columns | undefined;
  #read: readonly ReadColumn[] = [];
  #rows = 0;
  #accepted = 0;
  readonly #refused = { INVALID_PHONE: 0, DUPLICATE: 0, MISSING_PHONE: 0, ROW_TOO_LONG: 0, SUPPRESSED: 0 };

  constructor(rules: ImportRules) {
    this.#rules = rules;
    this.#mentioned = new Set(rules.agent?.mentioned);
    const choices = rules.agent?.choices;
    this.#overrides = choices === undefined ? undefined : new OverrideRules(choices);
    this.#phones = new PhoneReader(rules.plan);
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

  /** Rows that were read and not taken yet. */
  get pendingRows(): number {
    return this.#pending.length;
  }

  /** They are to be settled, and in this order. */
  takePending(): readonly PendingRow[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  /** The settled rows that cannot be called. */
  takeRefusedRows(): readonly RefusedRow[] {
    const taken = this.#refusedRows;
    this.#refusedRows = [];
    return taken;
  }

  /** Null before the header was read. */
  get report(): FileReport | null {
    if (this.#columns === undefined) return null;
    const duplicates = this.#refused.DUPLICATE;
    const warnings = this.#warnings.list(this.#columns.notes);
    return {
      rows: this.#rows,
      accepted: this.#accepted,
      rejected: this.#rows - this.#accepted - duplicates,
      duplicates,
      columns: [...this.#columns.names],
      errors: this.#errors,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }

  /**
   * The first row with something in it is the header; rows with nothing in them do not count.
   * @throws FileRefused
   */
  read(sheetRow: SheetRow): void {
    const { rowNumber, cells, isHidden = false } = sheetRow;
    if (cells.every((cell) => cell.trim() === '')) return;
    if (this.#columns === undefined) {
      const { columns, refusal } = readHeader(cells, this.#rules.columns, this.#mentioned);
      this.#columns = columns;
      this.#read = this.#columnsToRead(columns);
      if (refusal !== undefined) throw refusal;
      return;
    }
    if (this.#rows === this.#rules.limits.maxRows)
      throw refuse('FILE_TOO_LARGE', `the file has more than ${this.#rules.limits.maxRows} rows`);
    this.#rows += 1;
    const read = this.#recipient(sheetRow, this.#columns);
    this.#pending.push({ rowNumber, phoneCell: cells[this.#columns.phone] ?? '', isHidden, read });
  }

  /**
   * @param suppressed the numbers among those of the rows that must not be called
   * @returns the rows that may be called
   */
  settle(rows: readonly PendingRow[], suppressed: ReadonlySet<string>): ImportedRow[] {
    const accepted: ImportedRow[] = [];
    for (const { rowNumber, phoneCell, isHidden, read } of rows) {
      const settled = 'code' in read ? read : this.#settled(read, suppressed);
      if ('code' in settled) {
        this.#refused[settled.code] += 1;
        this.#note(rowNumber, phoneCell, settled);
      } else {
        this.#accepted += 1;
        if (isHidden) this.#warnings.hiddenRow(rowNumber);
        accepted.push(settled);
      }
    }
    return accepted;
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

  #columnsToRead({ all, username }: Columns): ReadColumn[] {
    const { agent } = this.#rules;
    return all.flatMap((column, index): ReadColumn[] => {
      const override =
        column.kind === 'override' && isAllowed(column.field, agent?.allowedOverrides)
          ? column.field
          : undefined;
      const isUsername = username === undefined ? column.fills.includes('username') : username === index;
      if (override === undefined && column.fills.length === 0 && !isUsername) return [];
      const isNeeded =
        agent === undefined ||
        override !== undefined ||
        isUsername ||
        column.fills.some((name) => this.#mentioned.has(name));
      return [{ column, index, override, isNeeded }];
    });
  }

  #recipient({ rowNumber, cells, digits }: SheetRow, columns: Columns): ImportedRow | Rejection {
    const phoneColumn = columns.all[columns.phone]?.name ?? null;
    if (cells.length > columns.width && cells.slice(columns.width).some((cell) => cell.trim() !== ''))
      return reject('ROW_TOO_LONG', null, tooManyCells);
    const cell = digits?.get(columns.phone) ?? cells[columns.phone] ?? '';
    const written = cell.trim();
    if (written === '' || isErrorValue(written))
      return reject('MISSING_PHONE', phoneColumn, 'has no phone number');
    if (isTooLong(cell, maxValueLength)) return reject('ROW_TOO_LONG', phoneColumn, 'is too long');
    const phone = this.#phones.read(cell);
    if (phone.kind === 'invalid') return reject('INVALID_PHONE', phoneColumn, phone.message);
    const read = this.#readCells(rowNumber, cells, columns);
    if ('code' in read) return read;
    const { timeZone, row } = read;
    const { number: phoneNumber } = phone;
    const timeZones = timeZone === undefined ? timeZonesOf(phoneNumber) : zonesOfRow(timeZone, phoneNumber);
    return { rowNumber, phoneNumber, timeZones, row };
  }

  #settled(recipient: ImportedRow, suppressed: ReadonlySet<string>): ImportedRow | Rejection {
    const phoneColumn = this.#columns?.all[this.#columns.phone]?.name ?? null;
    const { phoneNumber } = recipient;
    if (!mayCall({ suppression: { isSuppressed: suppressed.has(phoneNumber) } }).isAllowed)
      return reject('SUPPRESSED', phoneColumn, 'is a number that must not be called');
    // Last, so that a row that is rejected does not make a duplicate of a good one.
    if (this.#rules.duplicates !== 'all' && !this.#seen.add(digitsAsNumber(phoneNumber)))
      return reject('DUPLICATE', phoneColumn, 'is a number that an earlier row has');
    return recipient;
  }

  /** An empty cell is absent, so that the agent's default is said. */
  #readCells(
    rowNumber: number,
    cells: readonly string[],
    { username: usernameColumn }: Columns,
  ): (Pick<ImportedRow, 'row'> & { timeZone?: readonly [string] }) | Rejection {
    const variables: Record<string, string> = {};
    const overrides: Partial<Record<Override, string>> = {};
    let username: string | undefined;
    for (const { column, index, override, isNeeded } of this.#read) {
      const value = cells[index]?.trim() ?? '';
      if (value === '') continue;
      const isError = isErrorValue(value);
      if (isError || isNoValue(value)) this.#warnings.cellWithoutValue(column.name, rowNumber);
      if (isError) continue;
      if (isTooLong(value, override === undefined ? maxValueLength : maxLengths[override])) {
        if (isNeeded) return reject('ROW_TOO_LONG', column.name, 'is too long');
        this.#warnings.valueLeftOut(column.name, rowNumber);
        continue;
      }
      for (const name of column.fills) variables[name] = value;
      if (override !== undefined) overrides[override] = value;
      if (index === usernameColumn) username = value;
    }
    if (usernameColumn === undefined) username = variables.username;
    const { timezone, ...others } = overrides;
    const checked = this.#overrides?.check(others.language, others.voiceId);
    // The contract has no code of its own for the errors below; the column and the message make them clear.
    if (checked !== undefined && 'problem' in checked)
      return reject('INVALID_PHONE', checked.problem.column, checked.problem.message);
    if (checked?.language !== undefined) others.language = checked.language;
    const row = { variables, ...others, ...(username === undefined ? {} : { username }) };
    if (timezone === undefined) return { row };
    const timeZone = this.#zoneNamed(timezone);
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
