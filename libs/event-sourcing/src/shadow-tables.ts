// Empty copies of tables in a schema of their own, under the same names. So the statements of a projection write to them
// unchanged. The swap puts the copies in the place of the original tables.
import { type Database, shadowSchemaOf, type Tx } from '@parlance/postgres';

/** Tables of the framework that belong to a projection: the copy keeps its own checkpoint and its own dead letters. */
const bookkeeping = ['projection_checkpoints', 'projection_dead_letters'] as const;

export interface Schemas {
  readonly live: string;
  readonly shadow: string;
}

/** @throws Error with the remedy when the service has no second schema and may not make one */
export const schemasOf = async (db: Database): Promise<Schemas> => {
  const { rows } = await db.query<{ live: string }>('select current_schema() as live');
  const live = rows[0]?.live ?? '';
  const shadow = shadowSchemaOf(live);
  const found = await db.query('select 1 from pg_namespace where nspname = $1', [shadow]);
  if (found.rowCount === 0)
    throw new Error(
      `there is no schema ${shadow}: set the databases up again (npm start does, and so does the image's provision)`,
    );
  return { live, shadow };
};

const statementsOf = async (tx: Tx, sql: string, values: readonly unknown[]): Promise<string[]> => {
  const { rows } = await tx.query<{ statement: string }>(sql, values);
  return rows.map(({ statement }) => statement);
};

const runAll = async (tx: Tx, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await tx.query(statement);
};

/** Empties the shadow schema of the remains of an unfinished rebuild. */
export const clearShadow = (db: Database, { shadow }: Schemas): Promise<void> =>
  db.transaction(async (tx) => {
    const drops = await statementsOf(
      tx,
      `select format('drop table %I.%I cascade', $1::text, relname) as statement from pg_class
       where relnamespace = to_regnamespace(quote_ident($1)) and relkind in ('r', 'p')`,
      [shadow],
    );
    await runAll(tx, drops);
  });

// `like` would copy indexes too, but under names of its own; a later migration must find them under theirs.
const copyStatements = `
  select format('create table %I.%I (like %I.%I including all excluding indexes excluding statistics)', $2::text, $3::text, $1::text, $3::text)
    as statement
  union all
  select format('alter table %I.%I add constraint %I %s', $2::text, $3::text, conname, pg_get_constraintdef(oid))
  from pg_constraint where conrelid = format('%I.%I', $1::text, $3::text)::regclass and contype in ('p', 'u', 'x')
  union all
  select format('alter table %I.%I set (%s)', $2::text, $3::text, array_to_string(reloptions, ', '))
  from pg_class where oid = format('%I.%I', $1::text, $3::text)::regclass and reloptions is not null
  union all
  select replace(pg_get_indexdef(indexrelid), format(' ON %I.%I ', $1::text, $3::text), format(' ON %I.%I ', $2::text, $3::text))
  from pg_index where indrelid = format('%I.%I', $1::text, $3::text)::regclass
    and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))`;

/** Makes empty copies of these tables and of the framework's own. */
export const makeShadowTables = (
  db: Database,
  { live, shadow }: Schemas,
  tables: readonly string[],
): Promise<void> =>
  db.transaction(async (tx) => {
    for (const table of [...tables, ...bookkeeping])
      await runAll(tx, await statementsOf(tx, copyStatements, [live, shadow, table]));
  });

/** Lets the planner know the copies before any reader uses them. `shadowDb` looks names up in the shadow schema. */
export const settleShadowTables = async (shadowDb: Database, tables: readonly string[]): Promise<void> => {
  if (tables.length > 0) await shadowDb.query(`vacuum (analyze) ${tables.map(quoted).join(', ')}`);
};

/** Milliseconds; below the second after which Postgres ends one of two that wait for each other, maybe the reader. */
const lockWaits = [50, 100, 200, 400, 800];

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Object && 'code' in error && error.code === '55P03';

/**
 * Waits until no transaction reads the live tables, and keeps others from beginning to. A reader of two tables could
 * deadlock with this lock, so readers wait for one try at most.
 * @throws the driver's error for a lock that was not to be had
 */
export const lockTables = async (tx: Tx, { live }: Schemas, tables: readonly string[]): Promise<void> => {
  if (tables.length === 0) return;
  const names = tables.map((table) => `${quoted(live)}.${quoted(table)}`).join(', ');
  for (const [index, wait] of lockWaits.entries()) {
    await tx.query('savepoint before_lock');
    try {
      await tx.query(`set local lock_timeout = ${wait}`);
      await tx.query(`lock table ${names} in access exclusive mode`);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || index === lockWaits.length - 1) throw error;
      await tx.query('rollback to savepoint before_lock');
    }
  }
};

/** Puts the copies and their dead letters in the place of the live ones. */
export const swapTables = async (
  tx: Tx,
  { live, shadow }: Schemas,
  projection: string,
  tables: readonly string[],
): Promise<void> => {
  for (const table of tables) {
    await tx.query(`drop table ${quoted(live)}.${quoted(table)}`);
    await tx.query(`alter table ${quoted(shadow)}.${quoted(table)} set schema ${quoted(live)}`);
  }
  await tx.query('delete from projection_dead_letters where projection_id = $1', [projection]);
  await tx.query(
    `insert into projection_dead_letters select * from ${quoted(shadow)}.projection_dead_letters where projection_id = $1`,
    [projection],
  );
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Changes whenever a migration was applied. */
export const migrationsMark = async (tx: Tx): Promise<string> => {
  const { rows } = await tx.query<{ mark: string }>(
    "select coalesce(string_agg(name, ',' order by name), '') as mark from schema_migrations",
  );
  return rows[0]?.mark ?? '';
};
