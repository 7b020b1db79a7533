// Compares the schema of a service with its migrations; for tools that look and change nothing.
import type { Database } from './database.js';
import { declaredIndexes } from './declared-indexes.js';
import { frameworkDirectory, isHeldBack } from './migrate.js';
import { readMigrations } from './migration-files.js';
import { releases } from './releases.js';

interface NamedIndex {
  readonly name: string;
  readonly table: string;
}

export interface SchemaState {
  /** Migrations that were never applied. */
  readonly missing: readonly string[];
  /** Migrations that were begun and have not come to their end. */
  readonly begun: readonly string[];
  /** Migrations that differ from the applied ones of the same names. */
  readonly changed: readonly string[];
  /** Indexes that applied migrations made and that are gone. */
  readonly lostIndexes: readonly NamedIndex[];
  /** Indexes that the server does not use, such as one that was not made to its end. */
  readonly invalidIndexes: readonly NamedIndex[];
}

const isThere = async (db: Database, table: string): Promise<boolean> => {
  const { rows } = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  return rows[0]?.there === true;
};

const appliedIn = async (db: Database): Promise<ReadonlyMap<string, string>> => {
  if (!(await isThere(db, 'schema_migrations'))) return new Map();
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
};

const begunIn = async (db: Database): Promise<readonly string[]> => {
  if (!(await isThere(db, 'schema_migrations_begun'))) return [];
  const { rows } = await db.query<{ name: string }>('select name from schema_migrations_begun');
  return rows.map(({ name }) => name);
};

const indexesIn = async (db: Database): Promise<(NamedIndex & { readonly valid: boolean })[]> =>
  (
    await db.query<NamedIndex & { readonly valid: boolean }>(
      `select index.relname as name, of.relname as table, indisvalid and indisready as valid
       from pg_index join pg_class index on index.oid = indexrelid join pg_class of on of.oid = indrelid
       where index.relnamespace = to_regnamespace(quote_ident(current_schema()))`,
    )
  ).rows;

/** @param directory of the migrations of the service, with a slash at the end */
export const readSchemaState = async (db: Database, directory: URL): Promise<SchemaState> => {
  const [applied, begun, indexes] = [await appliedIn(db), await begunIn(db), await indexesIn(db)];
  // A process without a broker has none of the tables of the framework.
  const hasFramework = [...applied.keys()].some((name) => name.startsWith('framework/'));
  const all = [
    ...(hasFramework ? await readMigrations(frameworkDirectory, 'framework/') : []),
    ...(await readMigrations(directory, '')),
  ];
  const migrations = all.filter((migration) => !isHeldBack(migration, { releases, contract: false }));
  const there = new Set(indexes.map(({ name }) => name));
  const declared = declaredIndexes(all.filter(({ name }) => applied.has(name)).map(({ sql }) => sql));
  return {
    begun,
    missing: migrations.flatMap(({ name }) => (applied.has(name) || begun.includes(name) ? [] : [name])),
    changed: all.flatMap(({ name, checksum }) =>
      applied.has(name) && applied.get(name) !== checksum ? [name] : [],
    ),
    lostIndexes: [...declared].flatMap(([name, table]) => (there.has(name) ? [] : [{ name, table }])),
    invalidIndexes: indexes.flatMap(({ name, table, valid }) => (valid ? [] : [{ name, table }])),
  };
};
