// The header of a campaign's file. It names the column of the number, the columns that override the agent's
// configuration, and the variables of the others. A mapping that came with the campaign decides before the headers do.
import type { ColumnMapping } from '@parlance/contracts';
import { refuse } from './import-types.js';

/** Names of the number's column, in the order of the search. */
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
  | { readonly kind: 'phone'; readonly name: string; readonly fills: readonly string[] }
  | { readonly kind: 'override'; readonly name: string; readonly field: Override }
  | { readonly kind: 'variable'; readonly name: string; readonly fills: readonly string[] }
  /** A column without a name, which no text can mention. */
  | { readonly kind: 'nameless'; readonly name: '' };

export interface Columns {
  readonly all: readonly Column[];
  readonly phone: number;
  /** The column with the names of the callees, where the mapping says so. */
  readonly username: number | undefined;
  /** Names as they are known from here on, in the order of the file. */
  readonly names: readonly string[];
  /** The headers as they stand in the file. */
  readonly headers: readonly string[];
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

const columnOf = (header: string, index: number, mapped: ReadonlySet<string>): Column => {
  if (header.trim() === '') return { kind: 'nameless', name: '' };
  const reserved = withSpaces(header).replaceAll(' ', '_');
  if (Object.hasOwn(overrideNames, reserved)) {
    const name = reserved as keyof typeof overrideNames; // hasOwn has just said so
    return { kind: 'override', name, field: overrideNames[name] };
  }
  const name = variableOf(header);
  // The mapping has another column for this variable.
  if (mapped.has(name)) return { kind: 'nameless', name: '' };
  if (variableName.test(name)) return { kind: 'variable', name, fills: [name] };
  throw refuse(
    'FILE_INVALID',
    `the header of column ${lettersOf(index)} cannot be the name of a variable: use up to 64 letters from A to Z, digits and underscores`,
  );
};

/** The index of a column that the mapping names. @returns -1 for a column that the file does not have */
const indexOf = (headers: readonly string[], wanted: string): number =>
  headers.map(withSpaces).indexOf(withSpaces(wanted));

const phoneIndex = (headers: readonly string[], mapping: ColumnMapping): number => {
  if (mapping.phoneNumber !== undefined) return indexOf(headers, mapping.phoneNumber);
  const known = headers.map(withSpaces);
  for (const name of phoneNames) {
    const index = known.indexOf(name);
    if (index >= 0) return index;
  }
  return -1;
};

/** @throws FileRefused when the file has no such column */
const mappedIndex = (headers: readonly string[], wanted: string, field: string): number => {
  const index = indexOf(headers, wanted);
  if (index < 0)
    throw refuse('FILE_INVALID', `the file does not have the column that columns.${field} names`);
  return index;
};

/** The variables that the mapping has each column fill, by the index of the column. */
const mappedVariables = (
  headers: readonly string[],
  { variables = {} }: ColumnMapping,
): ReadonlyMap<number, readonly string[]> => {
  const fills = new Map<number, string[]>();
  for (const [name, wanted] of Object.entries(variables)) {
    const index = mappedIndex(headers, wanted, `variables.${name}`);
    fills.set(index, [...(fills.get(index) ?? []), name]);
  }
  return fills;
};

/** A variable of the mapping may have the name of the phone column, or of an override. */
const checkUnique = (columns: readonly Column[], mapped: ReadonlySet<string>): void => {
  const seen = new Map<string, number>();
  for (const [index, { kind, name }] of columns.entries()) {
    if (kind !== 'variable' && mapped.has(name)) continue;
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
export const hasPhoneColumn = (headers: readonly string[], mapping: ColumnMapping = {}): boolean =>
  phoneIndex(headers, mapping) >= 0;

/** @throws FileRefused when no column has the numbers, one cannot be named, or one of the mapping is not there */
export const readHeader = (cells: readonly string[], mapping: ColumnMapping = {}): Columns => {
  const end = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (end > maxColumns)
    throw refuse('FILE_INVALID', `the file has ${end} columns; at most ${maxColumns} can be read`);
  const headers = cells.slice(0, end);
  const phone = phoneIndex(headers, mapping);
  if (phone < 0 && mapping.phoneNumber === undefined)
    throw refuse('FILE_INVALID', 'no column has the phone numbers: name one phone_number in the first row');
  if (phone < 0)
    throw refuse('FILE_INVALID', 'the file does not have the column that columns.phoneNumber names');
  const mapped = mappedVariables(headers, mapping);
  const mappedNames = new Set(Object.keys(mapping.variables ?? {}));
  const all = headers.map((header, index): Column => {
    const fills = mapped.get(index) ?? [];
    if (index === phone) return { kind: 'phone', name: variableOf(header), fills };
    const [first] = fills;
    return first === undefined
      ? columnOf(header, index, mappedNames)
      : { kind: 'variable', name: first, fills };
  });
  checkUnique(all, mappedNames);
  const variables = all.flatMap((column) => ('fills' in column ? column.fills : [])).length;
  if (variables > maxVariables)
    throw refuse('FILE_INVALID', `${variables} columns are variables; a call can have ${maxVariables}`);
  const username = mapping.name === undefined ? undefined : mappedIndex(headers, mapping.name, 'name');
  const names = all.map(({ name }) => name).filter((name) => name !== '');
  return { all, phone, username, names, headers };
};
