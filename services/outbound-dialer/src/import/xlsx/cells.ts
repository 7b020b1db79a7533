// Turns the cells of a sheet's XML into the text that a person reads there. Formulas are not calculated: the file holds
// their results at its last save.
import type { SheetRow } from '../sheet/sheet-row.js';
import { generalText, hiddenDigits } from './number-text.js';
import type { StringStore } from './string-store.js';
import type { Workbook } from './workbook.js';
import type { XmlHandler } from './xml.js';

/** Cells further right are not kept; more than may be used, so that too many are noticed. */
const maxColumns = 1_002;
/** As XML Schema writes a double; anything else in a cell of numbers is text. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The column from the letters of `AB12`, counted from 0; undefined without letters. */
const columnOf = (reference: string | undefined): number | undefined => {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? undefined : column - 1;
};

const isTrue = (attribute: string | undefined): boolean => attribute === '1' || attribute === 'true';

export class CellReader implements XmlHandler {
  readonly #workbook: Pick<Workbook, 'formats' | 'from1904'>;
  readonly #strings: Pick<StringStore, 'get'>;
  readonly #onRow: (row: SheetRow) => void;
  #rowNumber = 0;
  #cells: string[] = [];
  #digits: Map<number, string> | undefined;
  #isHidden = false;
  #column = -1;
  #type = 'n';
  #style = -1;
  #text = '';
  #isCell = false;
  #isValue = false;
  #isPhonetic = false;

  constructor(
    workbook: Pick<Workbook, 'formats' | 'from1904'>,
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
      this.#digits = undefined;
      // A filter hides rows too, and some writers give them no height.
      this.#isHidden = isTrue(attributes.hidden) || Number(attributes.ht ?? 1) === 0;
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
    else if (name === 'row') this.#endRow();
  }

  #endRow(): void {
    this.#onRow({
      rowNumber: this.#rowNumber,
      cells: this.#cells,
      ...(this.#isHidden ? { isHidden: true } : {}),
      ...(this.#digits === undefined ? {} : { digits: this.#digits }),
    });
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
      case 'n':
        return this.#numberOf();
      default:
        return this.#text;
    }
  }

  /** 1.4155550100E10 is 14155550100: a phone number that was entered as a number. */
  #numberOf(): string {
    const value = Number(this.#text);
    // A number of 400 digits is none that a spreadsheet could show; it stays as it is written.
    if (!decimal.test(this.#text) || !Number.isFinite(value)) return this.#text;
    const text = (this.#workbook.formats[this.#style] ?? generalText)(value, this.#workbook.from1904);
    const digits = hiddenDigits(value, text);
    if (digits !== undefined) {
      this.#digits ??= new Map();
      this.#digits.set(this.#column, digits);
    }
    return text;
  }
}
