// The gateway's part of Postgres: its own tables, and better-auth's beside them in the same schema.
import type { Clock, Ids, Logger } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/persistence';
import pg from 'pg';
import type { Env } from '../env.js';
import { type Auth, createAuth } from './better-auth.js';

const migrationsDirectory = new URL('../../migrations/', import.meta.url);
const migrationLimitMs = 60_000;

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
  close(): Promise<void>;
}

// better-auth brings its own queries and wants a pool of its own. Time limits as everywhere.
const createPool = (env: Env, logger: Logger): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: env.POSTGRES_URL.reveal(),
    application_name: 'gateway-auth',
    max: env.POSTGRES_POOL_MAX,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
    query_timeout: 5_500,
    keepAlive: true,
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => logger.debug({ err: error }, 'lost a connection to postgres'));
  return pool;
};

/** Brings both sets of tables up to date; gateways that start together take turns. */
const migrateAll = async (db: Database, auth: Auth): Promise<void> => {
  await migrate(db, { directory: migrationsDirectory });
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
  const max = env.POSTGRES_POOL_MAX;
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'gateway', max, logger });
  const pool = createPool(env, logger);
  const close = async (): Promise<void> => {
    await Promise.all([db.end(), pool.end()]);
  };
  try {
    const secret = env.AUTH_SECRET.reveal();
    const auth = createAuth({ ...options, pool, secret, keyEnvironment: env.API_KEY_ENVIRONMENT });
    await migrateAll(db, auth);
    return { db, auth, close };
  } catch (error) {
    await close();
    throw error;
  }
};
