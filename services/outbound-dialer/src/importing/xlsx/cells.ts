// Turns the cells of a sheet's XML into the text that a person reads there. Formulas are not calculated: the file holds
// their results at its last save.
import type { SheetRow } from '../import-types.js';
import type { StringStore } from './string-store.js';
import type { Workbook } from './workbook.js';
import type { XmlHandler } from './xml.js';

/** Cells further right are not kept; one more than may be used, so that too many are noticed. */
const maxColumns = 201;
const dayMs = 86_400_000;
const from1900 = Date.UTC(1899, 11, 30);
const from1904 = Date.UTC(1904, 0, 1);

/** The column from the letters of `AB12`, counted from 0; undefined without letters. */
const columnOf = (reference: string | undefined): number | undefined => {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? undefined : column - 1;
};

/** 45678.5 is 2025-01-21 12:00. */
const dateOf = (serial: number, epoch: number): string => {
  const at = new Date(epoch + Math.round((serial * dayMs) / 1000) * 1000);
  if (Number.isNaN(at.getTime())) return String(serial);
  const [day = '', time = ''] = at.toISOString().split('T');
  const clock = time.slice(0, time.slice(6, 8) === '00' ? 5 : 8);
  if (serial < 1) return clock;
  return Number.isInteger(serial) ? day : `${day} ${clock}`;
};

export class CellReader implements XmlHandler {
  readonly #workbook: Pick<Workbook, 'isDate' | 'from1904'>;
  readonly #strings: Pick<StringStore, 'get'>;
  readonly #onRow: (row: SheetRow) => void;
  #rowNumber = 0;
  #cells: string[] = [];
  #column = -1;
  #type = 'n';
  #style = -1;
  #text = '';
  #isCell = false;
  #isValue = false;
  #isPhonetic = false;

  constructor(
    workbook: Pick<Workbook, 'isDate' | 'from1904'>,
    strings: Pick<StringStore, 'get'>,
    onRow: (row: SheetRow) => void,
  ) {
    this.#workbook = workbook;
    this.#strings = strings;
    this.#onRow = onRow;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      const given = Number(attributes.r);
      this.#rowNumber = given > this.#rowNumber ? given : this.#rowNumber + 1;
      this.#cells = [];
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = columnOf(attributes.r) ?? this.#column + 1;
      this.#type = attributes.t ?? 'n';
      this.#style = Number(attributes.s ?? -1);
      this.#text = '';
      this.#isCell = true;
    } else if (name === 'rPh') this.#isPhonetic = true;
    else if (this.#isCell && (name === 'v' || name === 't')) this.#isValue = !this.#isPhonetic;
  }

  text(text: string): void {
    if (this.#isValue) this.#text += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#onRow({ rowNumber: this.#rowNumber, cells: this.#cells });
  }

  #endCell(): void {
    this.#isCell = false;
    if (this.#column >= maxColumns) return;
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = this.#valueOf();
  }

  #valueOf(): string {
    switch (this.#type) {
      case 's':
        return this.#strings.get(Number(this.#text));
      case 'b':
        return this.#text === '1' ? 'TRUE' : 'FALSE';
      case 'e':
        return '';
      case 'n':
        return this.#numberOf();
      default:
        return this.#text;
    }
  }

  /** 1.4155550100E10 is 14155550100: a phone number that was entered as a number. */
  #numberOf(): string {
    const number = Number(this.#text);
    if (this.#text === '' || !Number.isFinite(number)) return this.#text;
    if (this.#workbook.isDate[this.#style] !== true) return String(number);
    return dateOf(number, this.#workbook.from1904 ? from1904 : from1900);
  }
}
