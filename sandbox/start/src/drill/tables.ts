// Tables of Postgres as a drill sees them: their names, and their rows on the way out and in. Each table has a digest that does
// not hang on the order of rows. Rows travel as Postgres' own text of a row, which loses nothing.
import type { Tx } from '@parlance/postgres';

export interface Table {
  readonly schema: string;
  readonly name: string;
  /** Columns that are stored, in the order of their names; generated ones are made anew. */
  readonly columns: readonly string[];
}

export interface TableDigest {
  readonly rows: number;
  /** Two sums over the rows, of 64-bit hashes with different seeds. */
  readonly sum: string;
}

const rowsAtOnce = 200;

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`;

/** An identifier as statements have it. */
export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;

const escapedName = ({ schema, name }: Table): string => `${quoted(schema)}.${quoted(name)}`;

const columnList = ({ columns }: Table): string => columns.map((column) => quoted(column)).join(', ');

/** Tables of all services: schemas that a service has migrated, without its notes of migrations. */
export const listTables = async (tx: Tx): Promise<readonly Table[]> => {
  const { rows } = await tx.query<{ schema: string; name: string; columns: string[] }>(
    `select n.nspname as schema, c.relname as name,
       array_agg(a.attname::text order by a.attname) filter (where a.attgenerated = '') as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and to_regclass(quote_ident(n.nspname) || '.schema_migrations') is not null
       and c.relname not in ('schema_migrations', 'schema_migrations_begun')
     group by 1, 2 order by 1, 2`,
  );
  return rows;
};

/** Names of the migrations of a schema, in their order. */
export const migrationsOf = async (tx: Tx, schema: string): Promise<readonly string[]> => {
  const { rows } = await tx.query<{ name: string }>(
    `select name from ${quoted(schema)}.schema_migrations order by name`,
  );
  return rows.map(({ name }) => name);
};

const rowTexts = (table: Table): string =>
  `select (r.*)::text as row from (select ${columnList(table)} from only ${escapedName(table)}) r`;

export const digestOf = async (tx: Tx, table: Table): Promise<TableDigest> => {
  const { rows } = await tx.query<{ rows: number; sum: string }>(
    `select count(*)::float8 as rows, concat_ws('/', coalesce(sum(hashtextextended(row, 0)::numeric), 0),
       coalesce(sum(hashtextextended(row, 1)::numeric), 0)) as sum from (${rowTexts(table)}) rows`,
  );
  return rows[0] ?? { rows: 0, sum: '' };
};

/** All rows, some at a time. The transaction must outlast the reading. */
export async function* readRows(tx: Tx, table: Table): AsyncGenerator<readonly string[], void, void> {
  await tx.query(`declare drill no scroll cursor for ${rowTexts(table)}`);
  for (;;) {
    const { rows } = await tx.query<{ row: string }>(`fetch ${rowsAtOnce} from drill`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await tx.query('close drill');
}

/**
 * Writes rows in place of those that migrations have made. The triggers of the table do not run, because they have done
 * their work at the source. Identities go on behind the largest one.
 */
export const writeRows = async (
  tx: Tx,
  table: Table,
  batches: AsyncIterable<readonly string[]>,
): Promise<void> => {
  const [name, columns] = [escapedName(table), columnList(table)];
  await tx.query('set local session_replication_role = replica');
  await tx.query(`delete from ${name}`);
  // Its rows have the columns in the order of the texts.
  await tx.query(`create temp table incoming on commit drop as select ${columns} from ${name} with no data`);
  for await (const batch of batches)
    await tx.query(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from (select (line::pg_temp.incoming).* from unnest($1::text[]) line) rows`,
      [batch],
    );
  const { rows } = await tx.query<{ column: string }>(
    `select attname::text as column from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [name],
  );
  for (const { column } of rows)
    await tx.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest((select max(${quoted(column)}) from ${name}), 1))`,
      [name, column],
    );
};
