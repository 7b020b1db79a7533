// The header of a campaign's file: the column of the number, the columns that override the agent's configuration, and
// the variables that the others fill. A mapping that came with the campaign decides before the headers do. A column that
// nothing mentions never refuses a file: one whose header is no name, or comes twice, is renamed or ignored.
import type { ColumnMapping } from '@parlance/contracts';
import { storableText } from '@parlance/contracts/text';
import { type FileRefused, refuse } from './sheet/file-refusal.js';

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
type OverrideName = keyof typeof overrideNames;
export type Override = (typeof overrideNames)[OverrideName];

/** Overrides that are also facts about the callee, which a text may mention; the others are texts themselves. */
const factNames: readonly OverrideName[] = ['language', 'voice_id', 'timezone', 'external_id'];

export type Column =
  | { readonly kind: 'phone'; readonly name: string; readonly fills: readonly string[] }
  | {
      readonly kind: 'override';
      readonly name: string;
      readonly field: Override;
      readonly fills: readonly string[];
    }
  | { readonly kind: 'variable'; readonly name: string; readonly fills: readonly string[] }
  | { readonly kind: 'ignored'; readonly name: ''; readonly fills: readonly string[] };

/** A remark on the header that a person should see, and that keeps nobody from being called. */
export interface HeaderNote {
  readonly code: 'COLUMN_RENAMED' | 'COLUMN_IGNORED';
  readonly column: string | null;
  readonly message: string;
}

export interface Columns {
  readonly all: readonly Column[];
  /** -1 in a file that is refused for having no such column. */
  readonly phone: number;
  /** The column with the names of the callees, where the mapping says so. */
  readonly username: number | undefined;
  /** Names as they are known from here on, in the order of the file. */
  readonly names: readonly string[];
  /** The headers of the file, shortened. */
  readonly headers: readonly string[];
  /** The cells of the header row, blank ones included: a longer row has a cell too many. */
  readonly width: number;
  readonly notes: readonly HeaderNote[];
}

const maxColumns = 1_000;
const maxVariables = 64;
const maxNameLength = 64;
/** As long as the name of a column may be in a mapping. */
const maxHeaderLength = 256;
const columnsNamed = 10;
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const ignored: Column = { kind: 'ignored', name: '', fills: [] };

/** The letters over a column: A, Z, AA. */
const lettersOf = (index: number): string =>
  (index >= 26 ? lettersOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

const shortened = (header: string): string => storableText(header.trim().slice(0, maxHeaderLength));

const withSpaces = (header: string): string => shortened(header).replaceAll(/\s+/g, ' ').trim().toLowerCase();

/**
 * First Name is First_Name, Prénom is Prenom, E-Mail is E_Mail, 2nd is _2nd, "Company (Primary)" is Company_Primary.
 * @returns undefined for a header without such a name: 姓名, or one of more than 64 letters
 */
const variableOf = (header: string): string | undefined => {
  const plain = header
    .trim()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\s.\-/]+/g, '_');
  const name = /^\d/.test(plain) ? `_${plain}` : plain;
  if (variableName.test(name)) return name;
  const words = plain.replaceAll(/[^\p{L}\p{N}]+/gu, '_').replaceAll(/^_+|_+$/g, '');
  const joined = /^\d/.test(words) ? `_${words}` : words;
  return variableName.test(joined) ? joined : undefined;
};

const overrideOf = (header: string): OverrideName | undefined => {
  const reserved = withSpaces(header).replaceAll(' ', '_');
  return Object.hasOwn(overrideNames, reserved) ? (reserved as OverrideName) : undefined; // hasOwn has just said so
};

/** The name of each column, a repeated one with its number: Notes, Notes_2. */
const namesOf = (headers: readonly string[]): readonly (string | undefined)[] => {
  const written = headers.map((header) => overrideOf(header) ?? variableOf(header));
  const taken = new Set(written);
  const seen = new Set<string>();
  return written.map((name) => {
    if (name === undefined || !seen.has(name)) {
      if (name !== undefined) seen.add(name);
      return name;
    }
    for (let number = 2; ; number += 1) {
      const end = `_${number}`;
      const numbered = name.slice(0, maxNameLength - end.length) + end;
      if (taken.has(numbered)) continue;
      taken.add(numbered);
      return numbered;
    }
  });
};

interface Header {
  readonly headers: readonly string[];
  readonly names: readonly (string | undefined)[];
}

/** The index of a column that the mapping names, by its header or by its numbered name; -1 where there is none. */
const indexOf = ({ headers, names }: Header, wanted: string): number => {
  const index = headers.map(withSpaces).indexOf(withSpaces(wanted));
  return index < 0 ? names.indexOf(wanted) : index;
};

const phoneIndex = (header: Header, mapping: ColumnMapping): number => {
  if (mapping.phoneNumber !== undefined) return indexOf(header, mapping.phoneNumber);
  const known = header.headers.map(withSpaces);
  for (const name of phoneNames) {
    const index = known.indexOf(name);
    if (index >= 0) return index;
  }
  return -1;
};

/** The variables that the mapping has each column fill, by the index of the column. */
const mappedVariables = (
  header: Header,
  { variables = {} }: ColumnMapping,
): ReadonlyMap<number, readonly string[]> => {
  const fills = new Map<number, string[]>();
  for (const [name, wanted] of Object.entries(variables)) {
    const index = indexOf(header, wanted);
    fills.set(index, [...(fills.get(index) ?? []), name]);
  }
  return fills;
};

/** The reason for which no campaign can be made of a file with this header. */
const refusalOf = (header: Header, count: number, mapping: ColumnMapping): FileRefused | undefined => {
  const missing = (field: string) =>
    refuse('FILE_INVALID', `the file does not have the column that columns.${field} names`);
  if (count > maxColumns)
    return refuse('FILE_INVALID', `the file has ${count} columns; at most ${maxColumns} can be read`);
  if (phoneIndex(header, mapping) < 0)
    return mapping.phoneNumber === undefined
      ? refuse('FILE_INVALID', 'no column has the phone numbers: name one phone_number in the first row')
      : missing('phoneNumber');
  for (const [name, wanted] of Object.entries(mapping.variables ?? {}))
    if (indexOf(header, wanted) < 0) return missing(`variables.${name}`);
  return mapping.name !== undefined && indexOf(header, mapping.name) < 0 ? missing('name') : undefined;
};

/** Where there are more variables than a call can have, those that a text mentions come first. */
const withinLimit = (
  columns: readonly Column[],
  mapped: ReadonlySet<string>,
  mentioned: ReadonlySet<string>,
): ReadonlySet<string> => {
  const names = columns.flatMap(({ fills }) => [...fills]);
  const rank = (name: string): number => (mapped.has(name) ? 0 : mentioned.has(name) ? 1 : 2);
  return new Set(names.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxVariables));
};

const listed = (letters: readonly string[]): string =>
  letters.slice(0, columnsNamed).join(', ') + (letters.length > columnsNamed ? ', …' : '');

const notesOf = (
  { headers, names }: Header,
  all: readonly Column[],
  overLimit: readonly number[],
): HeaderNote[] => {
  const renamed = all.flatMap((column, index): HeaderNote[] => {
    const name = names[index];
    const header = headers[index] ?? '';
    if (column.kind !== 'variable' || column.name !== name) return [];
    if (name === (overrideOf(header) ?? variableOf(header))) return [];
    const message = `column ${lettersOf(index)} has the header of an earlier column: its variable is ${name}`;
    return [{ code: 'COLUMN_RENAMED', column: name, message }];
  });
  const unnamed = all.flatMap(({ kind }, index) =>
    kind === 'ignored' && (headers[index] ?? '') !== '' && names[index] === undefined
      ? [lettersOf(index)]
      : [],
  );
  const ignoredFor = (letters: readonly string[], reason: string): HeaderNote[] =>
    letters.length === 0
      ? []
      : [
          {
            code: 'COLUMN_IGNORED',
            column: null,
            message: `these columns fill no variable, because ${reason}: ${listed(letters)}`,
          },
        ];
  return [
    ...renamed.slice(0, columnsNamed),
    ...ignoredFor(unnamed, 'a variable has up to 64 letters from A to Z, digits and underscores'),
    ...ignoredFor(overLimit.map(lettersOf), `a call can have ${maxVariables} variables`),
  ];
};

/** True when some cell of the row is a name that the phone column may have. */
export const hasPhoneColumn = (cells: readonly string[], mapping: ColumnMapping = {}): boolean =>
  phoneIndex({ headers: cells, names: [] }, mapping) >= 0;

const columnOf = (
  { headers, names }: Header,
  index: number,
  mapped: ReadonlySet<string>,
  mentioned: ReadonlySet<string>,
): Column => {
  const header = headers[index] ?? '';
  const name = names[index];
  // The mapping may have another column for this variable.
  const free = (fills: readonly string[]): string[] => fills.filter((fill) => !mapped.has(fill));
  const override = overrideOf(header);
  if (override !== undefined && name === override) {
    const spelled = variableOf(header) ?? override;
    const fills = factNames.includes(override)
      ? [override, ...(spelled !== override && mentioned.has(spelled) ? [spelled] : [])]
      : [];
    return { kind: 'override', name, field: overrideNames[override], fills: free(fills) };
  }
  return name === undefined || mapped.has(name) ? ignored : { kind: 'variable', name, fills: [name] };
};

/**
 * Never throws, so that the columns of a refused file can still be shown and mapped.
 * @param mentioned the variables that texts of the agent mention
 */
export const readHeader = (
  cells: readonly string[],
  mapping: ColumnMapping = {},
  mentioned: ReadonlySet<string> = new Set(),
): { readonly columns: Columns; readonly refusal: FileRefused | undefined } => {
  const end = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const headers = cells.slice(0, Math.min(end, maxColumns)).map(shortened);
  const header: Header = { headers, names: namesOf(headers) };
  const phone = phoneIndex(header, mapping);
  const mapped = mappedVariables(header, mapping);
  const mappedNames = new Set(Object.keys(mapping.variables ?? {}));
  const candidates = headers.map((written, index): Column => {
    const fills = mapped.get(index) ?? [];
    if (index === phone)
      return { kind: 'phone', name: header.names[index] ?? written.slice(0, maxNameLength), fills };
    const [first] = fills;
    return first === undefined
      ? columnOf(header, index, mappedNames, mentioned)
      : { kind: 'variable', name: first, fills };
  });
  const kept = withinLimit(candidates, mappedNames, mentioned);
  const all = candidates.map((column): Column => {
    const fills = column.fills.filter((fill) => kept.has(fill));
    if (column.kind === 'ignored') return column;
    return column.kind === 'variable' && fills.length === 0 ? ignored : { ...column, fills };
  });
  const overLimit = [...candidates.keys()].filter(
    (index) => (all[index]?.fills.length ?? 0) < (candidates[index]?.fills.length ?? 0),
  );
  const columns: Columns = {
    all,
    phone,
    username: mapping.name === undefined ? undefined : indexOf(header, mapping.name),
    names: all.map(({ name }) => name).filter((name) => name !== ''),
    headers,
    width: cells.length,
    notes: notesOf(header, all, overLimit),
  };
  return { columns, refusal: refusalOf(header, end, mapping) };
};
