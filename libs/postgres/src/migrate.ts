// Brings the schema of a service up to date. Migrations are applied in order, once, by one process at a time. A migration that
// was ended half-way has left nothing, or an index that `schema_migrations_begun` names and the next run finishes.
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import type { Connection, Database } from './database.js';
import { buildIndex } from './index-migration.js';
import { type Migration, readMigrations } from './migration-files.js';
import { keepOlderOut, lockForOldReleases, releaseLock, takeTurn } from './migration-locks.js';
import { type Applied, refuseTooOld } from './release-window.js';
import { releases as ownReleases } from './releases.js';
import type { Tx } from './tx.js';

export interface MigrateOptions {
  /** Folder of `NNNN_name.sql` files, with a trailing slash. */
  readonly directory: URL;
  /** True: the tables of the framework are created too: outbox, inbox, checkpoints, parked messages, personal keys. */
  readonly framework?: boolean;
  /** True: the contracting migrations of this release are applied too, which otherwise the next release applies. */
  readonly contract?: boolean;
  /** Versions of the releases up to this one. */
  readonly releases?: readonly string[];
  /** Longest wait for another process that migrates, in milliseconds (two minutes). */
  readonly patienceMs?: number;
  /**
   * Longest wait of one try for a table, in milliseconds (three seconds). Requests wait behind a statement that waits for their
   * table, so it gives up early and tries again, ten times in all.
   */
  readonly tableWaitMs?: number;
  readonly logger?: Logger;
}

export const frameworkDirectory = new URL('../migrations/', import.meta.url);
const transactionMs = 60_000;
const indexMs = 3_600_000;
const tableTries = 10;

interface Run {
  readonly connection: Connection;
  readonly releases: readonly string[];
  readonly contract: boolean;
  readonly tableWaitMs: number;
}

/** Place of the release that brings the migration. The first release brought those that are older than the marks. */
const placeOf = ({ mark, name }: Migration, releases: readonly string[]): number => {
  const place = mark === undefined ? 0 : releases.indexOf(mark.release);
  if (place < 0) throw new Error(`migration ${name} names the release ${mark?.release}, which is not known`);
  return place;
};

const ensureTables = ({ connection }: Run): Promise<void> =>
  connection.transaction(async (tx) => {
    await lockForOldReleases(tx);
    await tx.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now());
       create table if not exists schema_migrations_begun (
         name text primary key, checksum text not null, begun_at timestamptz not null default now())`,
    );
    const { rows } = await tx.query(
      `select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'release_number'`,
    );
    if (rows.length > 0) return;
    await tx.query(
      'alter table schema_migrations add column phase text, add column release text, add column release_number int',
    );
  });

const readApplied = async (connection: Pick<Tx, 'query'>): Promise<readonly Applied[]> => {
  const { rows } = await connection.query<Applied>(
    'select name, checksum, phase, release, release_number from schema_migrations',
  );
  return rows;
};

/** @throws Error when the file is not the one that was applied */
const isApplied = (migration: Migration, applied: readonly Applied[]): boolean => {
  const row = applied.find(({ name }) => name === migration.name);
  if (row !== undefined && row.checksum !== migration.checksum)
    throw new Error(`migration ${migration.name} was changed after it was applied: bring the file back`);
  return row !== undefined;
};

const note = async (tx: Tx, migration: Migration, releases: readonly string[]): Promise<void> => {
  const { name, checksum, mark } = migration;
  await tx.query(
    `insert into schema_migrations (name, checksum, phase, release, release_number) values ($1, $2, $3, $4, $5)`,
    [name, checksum, mark?.phase ?? null, mark?.release ?? null, placeOf(migration, releases)],
  );
  await tx.query('delete from schema_migrations_begun where name = $1', [name]);
};

/** Applies a migration and notes it in one transaction. False when a process of an old release was faster. */
const applyOnce = ({ connection, releases, tableWaitMs }: Run, migration: Migration): Promise<boolean> =>
  connection.transaction(
    async (tx) => {
      await lockForOldReleases(tx);
      if (isApplied(migration, await readApplied(tx))) return false;
      await tx.query(`set local lock_timeout = ${tableWaitMs}`);
      if (migration.index === undefined) await tx.query(migration.sql);
      await note(tx, migration, releases);
      return true;
    },
    { timeoutMs: transactionMs },
  );

const isTableInUse = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === '55P03';

const apply = async (run: Run, migration: Migration): Promise<boolean> => {
  const { index } = migration;
  if (index !== undefined) await buildIndex(run.connection, { ...migration, index });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyOnce(run, migration);
    } catch (cause) {
      if (!isTableInUse(cause)) throw cause;
      if (attempt === tableTries)
        throw new Error(
          `migration ${migration.name} needs a table that a long transaction uses: end that one`,
          {
            cause,
          },
        );
    }
  }
};

/** A release contracts when its processes run alone; at the earliest that is certain when the next release starts. */
export const isHeldBack = (
  migration: Migration,
  { releases, contract }: Pick<Run, 'releases' | 'contract'>,
): boolean =>
  migration.mark?.phase === 'contract' && !contract && placeOf(migration, releases) === releases.length - 1;

/** @throws Error when a process runs that needs the tables or columns that the migration takes away */
const refuseBesideOlder = async ({ connection, releases }: Run, migration: Migration): Promise<void> => {
  if (migration.mark?.phase !== 'contract') return;
  const older = await keepOlderOut(connection, placeOf(migration, releases));
  if (older === undefined) return;
  throw new Error(
    `migration ${migration.name} takes away what release ${releases[older]} uses, and a process of that release runs: ` +
      'end it first',
  );
};

const applyMissing = async (
  run: Run,
  migrations: readonly Migration[],
  logger?: Logger,
): Promise<string[]> => {
  const applied = await readApplied(run.connection);
  refuseTooOld({ applied, known: new Set(migrations.map(({ name }) => name)), releases: run.releases });
  const missing = migrations.filter((migration) => !isApplied(migration, applied));
  const names: string[] = [];
  for (const migration of missing) {
    if (isHeldBack(migration, run)) continue;
    await refuseBesideOlder(run, migration);
    logger?.info({ migration: migration.name }, 'migrating');
    if (await apply(run, migration)) names.push(migration.name);
  }
  return names;
};

/**
 * The lock is held before the look at the schema. So a process that contracts the schema sees this process, or this
 * process sees the contracted schema.
 */
const holdRelease = async (db: Database, releases: readonly string[]): Promise<void> => {
  const own = releases.length - 1;
  try {
    await db.hold(releaseLock(own));
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'UPSTREAM_TIMEOUT') throw cause;
    throw new Error(`a newer release takes away what release ${releases[own]} uses: start that release`, {
      cause,
    });
  }
};

/**
 * Applies the missing migrations and returns their names. Migrations that are applied but not known here belong to the
 * next release, and are left alone.
 * @throws Error, in one line, when the schema is beyond this release, or a migration has changed or cannot be applied.
 * Also when another process migrates for too long, or a running older release needs a part that is to be taken away
 */
export const migrate = async (db: Database, options: MigrateOptions): Promise<string[]> => {
  const { directory, framework = false, contract = false, releases = ownReleases, logger } = options;
  const { patienceMs = 120_000, tableWaitMs = 3_000 } = options;
  const migrations = [
    ...(framework ? await readMigrations(frameworkDirectory, 'framework/') : []),
    ...(await readMigrations(directory, '')),
  ];
  await holdRelease(db, releases);
  return db.alone(async (connection) => {
    await takeTurn(connection, patienceMs);
    const run = { connection, releases, contract, tableWaitMs };
    await ensureTables(run);
    return applyMissing(run, migrations, logger);
  }, indexMs);
};
