// The dialer's database, for a command that an operator types.
import { baseEnv, type EnvSource, loadEnv, postgresEnv } from '@parlance/config';
import { createDatabase, type Database } from '@parlance/postgres';
import { z } from 'zod';

const Env = z.object({ ...baseEnv, ...postgresEnv });

/** @throws ConfigError when a variable is missing */
export const withDatabase = async <T>(
  variables: EnvSource,
  work: (db: Database) => Promise<T>,
): Promise<T> => {
  const { POSTGRES_URL: url } = loadEnv(Env, variables);
  const db = createDatabase({ url, applicationName: 'outbound-dialer-tool', max: 1 });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
};

export const where = `  --data-dir <path>  data folder of npm start (default: .parlance)
  --help             show this help

It works on the platform that npm start runs here. With POSTGRES_URL in the environment it works on the dialer's database
there. In a container: outbound-dialer`;
