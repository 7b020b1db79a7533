// Brings the schemas of processes up to date ahead of the processes themselves. They do the same at their start, and then find
// nothing to do. A process may take five minutes to start in a cluster; this command takes the time that a migration takes.
import { existsSync } from 'node:fs';
import { Secret } from '@parlance/config';
import type { Logger } from '@parlance/observability';
import { createDatabase, migrate } from '@parlance/postgres';

/** A process of the platform, and its role on Postgres. */
export interface MigrateTarget {
  /** Such as `calls-logs`. */
  readonly process: string;
  readonly postgresUrl: Secret;
}

export interface MigrateCommandOptions {
  /** Folder of the checkout or the image, with a slash at the end. */
  readonly root: URL;
  /** Also removes the objects that only the release before used; otherwise the next release would remove them. */
  readonly contract: boolean;
  readonly logger: Logger;
}

/** Its tables are its own alone: it has no outbox and hears no event. */
const withoutFramework = new Set(['mcp-facade']);

const migrationsOf = (root: URL, process: string): URL => {
  const folders = [new URL(`${process}/migrations/`, root), new URL(`services/${process}/migrations/`, root)];
  const found = folders.find((folder) => existsSync(folder));
  if (found === undefined) throw new Error(`there is no process ${process} with migrations`);
  return found;
};

interface PreparesAccounts {
  prepareAccounts(postgresUrl: Secret): Promise<void>;
}

/** better-auth brings its own tables. The gateway is compiled before this file, and no dependency of it. */
const prepareAccounts = async (root: URL, postgresUrl: Secret): Promise<void> => {
  const gateway: PreparesAccounts = await import(new URL('gateway/dist/index.js', root).href);
  await gateway.prepareAccounts(postgresUrl);
};

/**
 * Applies the missing migrations to the schema of the process, under its own role.
 * @returns names of the migrations that were applied
 * @throws Error in one line, as a process at its start
 */
export const migrateProcess = async (
  { process, postgresUrl }: MigrateTarget,
  { root, contract, logger }: MigrateCommandOptions,
): Promise<readonly string[]> => {
  const directory = migrationsOf(root, process);
  const db = createDatabase({ url: postgresUrl, applicationName: `migrate-${process}`, max: 2 });
  try {
    const framework = !withoutFramework.has(process);
    const applied = await migrate(db, { directory, framework, contract, logger });
    if (process === 'gateway') await prepareAccounts(root, postgresUrl);
    logger.info({ process, applied }, 'schema is up to date');
    return applied;
  } finally {
    await db.end();
  }
};

/** The role of each process, at the address of the administrator. */
export const targetsOf = (
  adminUrl: Secret,
  passwords: readonly (readonly [role: string, password: Secret])[],
): readonly MigrateTarget[] =>
  passwords.map(([role, password]) => {
    const url = new URL(adminUrl.reveal());
    url.username = role;
    url.password = encodeURIComponent(password.reveal());
    return { process: role.replaceAll('_', '-'), postgresUrl: new Secret(url.href) };
  });
