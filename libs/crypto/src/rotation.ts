// A rotation of the key-encryption key: every data key is wrapped again, in pieces and while services work with them. A value that
// changes meanwhile is left to the next pass, and an interrupted rotation continues with the values that are left.
import { CannotOpen } from './aead.js';
import { type Keyring, kekIdOf } from './keyring.js';
import type { QueryPort } from './pg-subject-keys.js';
import type { Change, SealedColumn, SealedRow } from './sealed-columns.js';

export interface RotationOptions {
  readonly db: QueryPort;
  readonly keyring: Keyring;
  readonly columns: readonly SealedColumn[];
  /** After each piece. @param rows read so far, of all columns */
  readonly onProgress?: (rows: number) => void;
  /** Ends between two pieces. */
  readonly signal?: AbortSignal;
}

/** A value that none of the keys opens. */
export interface Unopened {
  readonly table: string;
  readonly column: string;
  /** The primary key of its row. */
  readonly row: readonly unknown[];
  readonly kekId: string;
}

const rowsAtOnce = 500;
/** Values that are written under an earlier key while a pass goes by are few, so the next pass finds less each time. */
const mostPasses = 10;

interface StoredRow {
  readonly location: string;
  readonly value: string;
  readonly facts: SealedRow;
  readonly key: readonly unknown[];
}

const readPiece = async (
  db: QueryPort,
  { table, column, key, facts = {} }: SealedColumn,
  after: readonly unknown[] | undefined,
): Promise<readonly StoredRow[]> => {
  const named = Object.entries(facts).map(([name, sql]) => `${sql} as "${name}"`);
  const beyond =
    after === undefined ? '' : `and (${key.join(', ')}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`;
  const { rows } = await db.query<Record<string, unknown>>(
    `select t.ctid::text as "sealed_location", t.${column}::text as "sealed_value",
       ${[...key, ...named].join(', ')}
     from ${table} t where t.${column} is not null ${beyond} order by ${key.join(', ')} limit ${rowsAtOnce}`,
    after ?? [],
  );
  return rows.map(({ sealed_location: location, sealed_value: value, ...columns }) => ({
    location: String(location),
    value: String(value),
    facts: columns,
    key: key.map((name) => columns[name]),
  }));
};

/** Rows in pieces, by the primary key. */
async function* pieces({ db, signal }: RotationOptions, column: SealedColumn) {
  let after: readonly unknown[] | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await readPiece(db, column, after);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)?.key;
  }
}

/** A row that somebody has changed since it was read is left as it is. @returns the number of rows that were replaced */
const replace = async (
  db: QueryPort,
  { table, column, type }: SealedColumn,
  changed: readonly { readonly location: string; readonly value: string; readonly after: string }[],
): Promise<number> => {
  if (changed.length === 0) return 0;
  const { rows } = await db.query(
    `update ${table} t set ${column} = n.after::${type}
     from unnest($1::text[]::tid[], $2::text[], $3::text[]) as n (location, before, after)
     where t.ctid = n.location and t.${column}::text = n.before
     returning 1`,
    [
      changed.map(({ location }) => location),
      changed.map(({ value }) => value),
      changed.map(({ after }) => after),
    ],
  );
  return rows.length;
};

/** The number of stored values by the name of the key that each takes. */
export const countByKek = async (options: RotationOptions): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  const count: Change = (sealed) => {
    const kekId = kekIdOf(sealed);
    counts.set(kekId, (counts.get(kekId) ?? 0) + 1);
    return sealed;
  };
  let read = 0;
  for (const column of options.columns)
    for await (const rows of pieces(options, column)) {
      for (const { value, facts } of rows) column.visit(value, facts, count, options.keyring);
      read += rows.length;
      options.onProgress?.(read);
    }
  return counts;
};

export interface Verified {
  readonly values: number;
  readonly unopened: readonly Unopened[];
}

/** Opens every value, and changes nothing. */
export const verifyAll = async (options: RotationOptions): Promise<Verified> => {
  const unopened: Unopened[] = [];
  let [read, values] = [0, 0];
  for (const column of options.columns)
    for await (const rows of pieces(options, column)) {
      for (const { value, facts, key } of rows) {
        const verify: Change = (sealed, binding) => {
          values += 1;
          if (!options.keyring.opens(sealed, binding))
            unopened.push({ table: column.table, column: column.column, row: key, kekId: kekIdOf(sealed) });
          return sealed;
        };
        column.visit(value, facts, verify, options.keyring);
      }
      read += rows.length;
      options.onProgress?.(read);
    }
  return { values, unopened };
};

interface Pass {
  readonly rewrapped: number;
  /** Rows that changed while they were worked on. */
  readonly missed: number;
  readonly unopened: readonly Unopened[];
}

const rewrapOnce = async (options: RotationOptions): Promise<Pass> => {
  const { db, keyring, columns } = options;
  const unopened: Unopened[] = [];
  let [read, rewrapped, missed] = [0, 0, 0];
  for (const column of columns)
    for await (const rows of pieces(options, column)) {
      const changed = rows.flatMap(({ location, value, facts, key }) => {
        const rewrap: Change = (sealed, binding) => {
          try {
            return keyring.rewrap(sealed, binding);
          } catch (error) {
            if (!(error instanceof CannotOpen)) throw error;
            unopened.push({ table: column.table, column: column.column, row: key, kekId: kekIdOf(sealed) });
            return sealed;
          }
        };
        const after = column.visit(value, facts, rewrap, keyring);
        return after === value ? [] : [{ location, value, after }];
      });
      const done = await replace(db, column, changed);
      rewrapped += done;
      missed += changed.length - done;
      read += rows.length;
      options.onProgress?.(read);
    }
  return { rewrapped, missed, unopened };
};

export interface Rotated {
  /** Rows that were written. */
  readonly rewrapped: number;
  readonly unopened: readonly Unopened[];
}

/** Brings every value under the key that seals. Repeats until no value is left that one of the keys opens. */
export const rewrapAll = async (options: RotationOptions): Promise<Rotated> => {
  let rewrapped = 0;
  for (let pass = 1; ; pass += 1) {
    const found = await rewrapOnce(options);
    rewrapped += found.rewrapped;
    if ((found.rewrapped === 0 && found.missed === 0) || pass === mostPasses)
      return { rewrapped, unopened: found.unopened };
  }
};
