// An index that is built while the table is in use. Postgres allows no transaction around the build, and an interrupted
// build leaves an invalid index. So the beginning is noted, and the next run removes the invalid index and builds again.
import pg from 'pg';
import type { Connection } from './database.js';
import type { Migration } from './migration-files.js';

const isValid = async (connection: Connection, index: string): Promise<boolean | undefined> => {
  const { rows } = await connection.query<{ valid: boolean }>(
    `select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname = $1 and c.relnamespace = current_schema()::regnamespace`,
    [index],
  );
  return rows[0]?.valid;
};

const wasBegun = async (connection: Connection, { name }: Migration): Promise<boolean> => {
  const { rows } = await connection.query('select 1 from schema_migrations_begun where name = $1', [name]);
  return rows.length > 0;
};

/**
 * Builds the index, or finishes the work of an earlier run. The connection holds the lock of migrations, so no other
 * process builds it now.
 * @throws Error that names the index and the statement that removes it, when it cannot be built
 */
export const buildIndex = async (
  connection: Connection,
  migration: Migration & { readonly index: string },
): Promise<void> => {
  const { name, checksum, index, sql } = migration;
  const remove = `drop index concurrently if exists ${pg.escapeIdentifier(index)}`;
  if (await wasBegun(connection, migration)) {
    // Valid: only the note that the migration was applied is missing.
    if ((await isValid(connection, index)) === true) return;
    await connection.query(remove);
  } else {
    await connection.query('insert into schema_migrations_begun (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ]);
  }
  try {
    await connection.query(sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `migration ${name} could not build the index ${index} (${reason}). Mend the cause and start again: the remains of ` +
        `the index are removed then. To remove it before: ${remove}`,
      { cause },
    );
  }
};
