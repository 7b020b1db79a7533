// The header of a campaign's file: which column is the number, which say something otherwise, and what variables the
// others become.
import { refuse } from './import-types.js';

/** In the order in which they are looked for. */
const phoneNames = [
  'phone_number',
  'phonenumber',
  'phone',
  'phone number',
  'number',
  'contact_number',
  'to_number',
] as const;

const overrideNames = {
  first_message: 'firstMessage',
  system_prompt: 'systemPrompt',
  language: 'language',
  voice_id: 'voiceId',
  timezone: 'timezone',
  external_id: 'externalId',
} as const;
export type Override = (typeof overrideNames)[keyof typeof overrideNames];

export type Column =
  | { readonly kind: 'phone'; readonly name: string }
  | { readonly kind: 'override'; readonly name: string; readonly field: Override }
  | { readonly kind: 'variable'; readonly name: string }
  /** Without a name: nobody can ask for it. */
  | { readonly kind: 'nameless'; readonly name: '' };

export interface Columns {
  readonly all: readonly Column[];
  readonly phone: number;
  /** Names as they are known from here on, in the order of the file. */
  readonly names: readonly string[];
}

const maxColumns = 200;
const maxVariables = 64;
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** The letters over a column: A, Z, AA. */
const lettersOf = (index: number): string =>
  (index >= 26 ? lettersOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

const withSpaces = (header: string): string => header.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** First Name is First_Name, Prénom is Prenom, E-Mail is E_Mail, 2nd is _2nd. */
const variableOf = (header: string): string => {
  const plain = header
    .trim()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\s.\-/]+/g, '_');
  return /^\d/.test(plain) ? `_${plain}` : plain;
};

const columnOf = (header: string, index: number): Column => {
  if (header.trim() === '') return { kind: 'nameless', name: '' };
  const reserved = withSpaces(header).replaceAll(' ', '_');
  if (Object.hasOwn(overrideNames, reserved)) {
    const name = reserved as keyof typeof overrideNames; // hasOwn has just said so
    return { kind: 'override', name, field: overrideNames[name] };
  }
  const name = variableOf(header);
  if (variableName.test(name)) return { kind: 'variable', name };
  throw refuse(
    'FILE_INVALID',
    `the header of column ${lettersOf(index)} cannot be the name of a variable: use up to 64 letters from A to Z, digits and underscores`,
  );
};

const phoneIndex = (headers: readonly string[]): number => {
  const known = headers.map(withSpaces);
  for (const name of phoneNames) {
    const index = known.indexOf(name);
    if (index >= 0) return index;
  }
  return -1;
};

const checkUnique = (columns: readonly Column[]): void => {
  const seen = new Map<string, number>();
  for (const [index, { name }] of columns.entries()) {
    const first = seen.get(name);
    if (name !== '' && first !== undefined)
      throw refuse(
        'FILE_INVALID',
        `columns ${lettersOf(first)} and ${lettersOf(index)} have the same name, ${name}`,
      );
    seen.set(name, index);
  }
};

/** True when some cell of the row is a name that the phone column may have. */
export const hasPhoneColumn = (headers: readonly string[]): boolean => phoneIndex(headers) >= 0;

/** @throws FileRefused when no column has the numbers, or one cannot be named */
export const readHeader = (cells: readonly string[]): Columns => {
  const end = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (end > maxColumns)
    throw refuse('FILE_INVALID', `the file has ${end} columns; at most ${maxColumns} can be read`);
  const headers = cells.slice(0, end);
  const phone = phoneIndex(headers);
  if (phone < 0)
    throw refuse('FILE_INVALID', 'no column has the phone numbers: name one phone_number in the first row');
  const all = headers.map((header, index): Column => {
    const column = index === phone ? undefined : columnOf(header, index);
    return column ?? { kind: 'phone', name: variableOf(header) };
  });
  checkUnique(all);
  const variables = all.filter(({ kind }) => kind === 'variable').length;
  if (variables > maxVariables)
    throw refuse('FILE_INVALID', `${variables} columns are variables; a call can have ${maxVariables}`);
  return { all, phone, names: all.map(({ name }) => name).filter((name) => name !== '') };
};
