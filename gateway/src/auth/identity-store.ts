// The gateway's part of Postgres: its own tables, and better-auth's beside them in the same schema.
import type { AppError } from '@parlance/errors';
import type { Clock, Ids, Logger } from '@parlance/observability';
import { createDatabase, type Database, migrate, whenReachable } from '@parlance/postgres';
import type { Env } from '../environment/env.js';
import { OrganizationBeginnings } from '../organizations/beginnings.js';
import { ApiKeyStore } from './api-key-store.js';
import { AuthPool } from './auth-pool.js';
import { type Auth, createAuth } from './better-auth.js';
import { SecondFactorGuesses } from './second-factor-guesses.js';
import { takeCodeIn } from './tried-codes.js';

const migrationsDirectory = new URL('../../migrations/', import.meta.url);
const migrationLimitMs = 60_000;

// The time limit of a look at a row or two while a client waits for an answer. A database that takes longer is away.
const statementTimeoutMs = 2_000;

export interface IdentityStoreOptions {
  readonly env: Env;
  /** Scheme, host and port under which people reach the gateway. */
  readonly publicUrl: string;
  readonly trustedOrigins: readonly string[];
  readonly logger: Logger;
  readonly ids: Ids;
  readonly clock: Clock;
}

export interface IdentityStore {
  readonly db: Database;
  readonly auth: Auth;
  readonly keys: ApiKeyStore;
  readonly beginnings: OrganizationBeginnings;
  /** The failure of the database under better-auth since then (epoch milliseconds), if there was one. */
  outageSince(at: number): AppError | undefined;
  close(): Promise<void>;
}

/** Brings both sets of tables up to date; gateways that start together take turns. */
const migrateAll = async (db: Database, auth: Auth): Promise<void> => {
  await migrate(db, { directory: migrationsDirectory, framework: true });
  await db.transaction(
    async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':auth', 0))`);
      await auth.migrate();
    },
    { timeoutMs: migrationLimitMs },
  );
};

/** Connects and migrates. @throws when the database cannot be reached or does not fit */
export const openIdentityStore = async (options: IdentityStoreOptions): Promise<IdentityStore> => {
  const { env, logger } = options;
  const url = env.POSTGRES_URL;
  const max = env.POSTGRES_POOL_MAX;
  const db = createDatabase({ url, applicationName: 'gateway', max, statementTimeoutMs, logger });
  const poolWith = (timeoutMs: number): AuthPool =>
    new AuthPool({ url: url.reveal(), max, statementTimeoutMs: timeoutMs, logger });
  const pool = poolWith(statementTimeoutMs);
  // Changing tables may take longer than looking into them.
  const migrationPool = poolWith(migrationLimitMs);
  const beginnings = new OrganizationBeginnings({
    db,
    setting: env.ORGANIZATIONS ?? (env.SIGN_UP === 'open' ? 'verified' : 'operator'),
  });
  const authOn = ({ forBetterAuth }: AuthPool): Auth => {
    return createAuth({
      ...options,
      pool: forBetterAuth,
      secret: env.AUTH_SECRET,
      takeCode: takeCodeIn(db),
      beginnings,
      guesses: new SecondFactorGuesses(db),
      verificationRequired: env.EMAIL_VERIFICATION === 'required',
    });
  };
  const close = async (): Promise<void> => {
    await Promise.all([db.end(), pool.end()]);
  };
  try {
    await whenReachable(() => migrateAll(db, authOn(migrationPool)), { logger });
    const environment = env.API_KEY_ENVIRONMENT;
    const keys = new ApiKeyStore({ db, ids: options.ids, clock: options.clock, environment });
    return { db, auth: authOn(pool), keys, beginnings, outageSince: (at) => pool.outageSince(at), close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    await migrationPool.end();
  }
};
