// The columns of a service that hold sealed values, so that a rotation of the key-encryption key finds each of them.
import { envelopesIn, type Keyring } from './keyring.js';
import { subjectKeyBinding } from './personal-data.js';

/** The columns of a row that the bindings of its values are made of; SQL decides their types. */
export type SealedRow = Readonly<Record<string, unknown>>;

/** Takes an envelope and its binding, and returns the envelope that takes its place. */
export type Change = (sealed: string, binding: string) => string;

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly type: 'text' | 'jsonb';
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Further parts of the bindings, by the name under which `visit` gets them: SQL over a row of the table. */
  readonly facts?: Readonly<Record<string, string>>;
  /**
   * Applies a change to every envelope in a value, those inside of an envelope included.
   * @param value the column as text
   */
  visit(value: string, row: SealedRow, change: Change, keyring: Keyring): string;
}

type TextColumn = Pick<SealedColumn, 'table' | 'column' | 'key' | 'facts'>;

/** A column that is one envelope. */
export const sealedText = (of: TextColumn, binding: (row: SealedRow) => string): SealedColumn => ({
  ...of,
  type: 'text',
  visit: (value, row, change) => change(value, binding(row)),
});

/**
 * A document with envelopes in it. Only the envelopes change: everything else keeps its spelling.
 * @param bindingsIn the bindings of the envelopes of a document, by envelope
 */
export const sealedDocument = (
  of: TextColumn,
  bindingsIn: (value: string, row: SealedRow) => ReadonlyMap<string, string>,
): SealedColumn => ({
  ...of,
  type: 'jsonb',
  visit: (value, row, change) => {
    const bindings = bindingsIn(value, row);
    return envelopesIn(value).reduce((text, { sealed }) => {
      const binding = bindings.get(sealed);
      return binding === undefined ? text : text.replace(sealed, () => change(sealed, binding));
    }, value);
  },
});

/** The keys of personal data, which the framework keeps in the schema of every service. */
export const personalKeys = sealedText(
  { table: 'personal_keys', column: 'wrapped_key', key: ['subject'] },
  ({ subject }) => subjectKeyBinding(String(subject)),
);
