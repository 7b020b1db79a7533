// Brings the schema of a service up to date. Files are applied in order, each in its own transaction, once; a file that
// changed after it was applied stops the start.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Database } from './database.js';
import type { Tx } from './tx.js';

export interface MigrateOptions {
  /** Folder of `NNNN_name.sql` files, with a trailing slash. */
  readonly directory: URL;
  /** Also create the tables of the framework: outbox, inbox, checkpoints, parked messages, personal keys. */
  readonly framework?: boolean;
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const frameworkDirectory = new URL('../migrations/', import.meta.url);
const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;
const limitMs = 60_000;

const readMigrations = async (directory: URL, prefix: string): Promise<Migration[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      if (!fileName.test(file)) throw new Error(`migration ${file} is not named NNNN_name.sql`);
      const sql = (await readFile(new URL(file, directory), 'utf8')).replaceAll('\r\n', '\n');
      return { name: `${prefix}${file}`, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
};

const lock = async (tx: Tx): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':migrate', 0))`);
};

const ensureTable = (db: Database): Promise<void> =>
  db.transaction(
    async (tx) => {
      await lock(tx);
      await tx.query(
        `create table if not exists schema_migrations (
           name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
      );
    },
    { timeoutMs: limitMs },
  );

/** True when it had to be applied. */
const apply = (db: Database, migration: Migration): Promise<boolean> =>
  db.transaction(
    async (tx) => {
      await lock(tx); // copies of a service start together
      const { rows } = await tx.query<{ checksum: string }>(
        'select checksum from schema_migrations where name = $1',
        [migration.name],
      );
      const applied = rows[0];
      if (applied !== undefined && applied.checksum !== migration.checksum) {
        throw new Error(`migration ${migration.name} was changed after it was applied`);
      }
      if (applied !== undefined) return false;
      await tx.query(migration.sql);
      await tx.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
      return true;
    },
    { timeoutMs: limitMs },
  );

/**
 * Applies what is missing and returns its names. Migrations that are applied but not known here belong to a newer
 * version of the service and are left alone.
 */
export const migrate = async (
  db: Database,
  { directory, framework = false }: MigrateOptions,
): Promise<string[]> => {
  const migrations = [
    ...(framework ? await readMigrations(frameworkDirectory, 'framework/') : []),
    ...(await readMigrations(directory, '')),
  ];
  await ensureTable(db);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await apply(db, migration)) applied.push(migration.name);
  }
  return applied;
};
