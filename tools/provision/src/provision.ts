// Prepares empty engines for the services. Each gets a role and a schema on Postgres, and the event stream gets as many
// copies as wanted. Safe to run at every start: it changes passwords when they changed, and deletes nothing.
import { type Secret, StartRefusal } from '@parlance/config';
import { platformProcesses } from '@parlance/contracts/services';
import type { Logger } from '@parlance/observability';
import {
  administer,
  allowStatistics,
  type Database,
  ensureEventStream,
  eventStreamName,
  provisionService,
  provisionStatistics,
  refuseOtherRootSecret,
} from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { type MigrateAllEnv, type ProvisionEnv, passwordVariableOf } from './env.js';

/** Each role with its password. */
export const passwordsByRole = (env: MigrateAllEnv): readonly (readonly [string, Secret])[] =>
  platformProcesses.map(({ role }) => [role, env[passwordVariableOf(role)]]);

/**
 * The doctor of a process looks at standbys and at long transactions of others. An administrator of a hosted Postgres may not see
 * these, and the doctor then says so.
 */
const showStatistics = async (admin: Database, roles: readonly string[], logger: Logger): Promise<void> => {
  try {
    if (!(await provisionStatistics(admin)))
      return logger.warn('the administrator may not read statistics, so doctors see no standbys');
    for (const role of roles) await allowStatistics(admin, role);
  } catch (error) {
    logger.warn({ err: error }, 'the roles may not read statistics, so their doctors see no standbys');
  }
};

/** What Postgres reports for a wrong password, as SQLSTATE. */
const invalidPassword = '28P01';

/** With a derived password the root secret is another one than at the first start, which no second attempt mends. */
const explainRefusal = (env: ProvisionEnv, error: unknown): unknown =>
  env.ROOT_SECRET !== undefined && hasCode(error, invalidPassword)
    ? new StartRefusal(
        'Postgres refuses the password of its administrator: restore the ROOT_SECRET that this installation was started with, or set POSTGRES_ADMIN_PASSWORD',
      )
    : error;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && (Reflect.get(error, 'code') === code || hasCode(error.cause, code));

const provisionDatabase = async (env: ProvisionEnv, logger: Logger): Promise<void> => {
  const admin = administer({ url: env.POSTGRES_ADMIN_URL, applicationName: 'provision' });
  try {
    const accounts = passwordsByRole(env);
    await refuseOtherRootSecret(
      admin,
      accounts.map(([role]) => role),
      env,
    );
    for (const [role, password] of accounts)
      await provisionService(admin, { role, schema: role, password: password.reveal() });
    await showStatistics(
      admin,
      accounts.map(([role]) => role),
      logger,
    );
  } finally {
    await admin.end();
  }
};

/** The longest time for NATS to write a configuration to a majority of servers. */
const updateTimeoutMs = 15_000;

const provisionEventStream = async (env: ProvisionEnv, logger: Logger): Promise<void> => {
  const nats = await connectNats({ url: env.NATS_URL, name: 'provision', logger });
  try {
    await ensureEventStream(nats);
    const manager = await nats.jetstreamManager({ timeout: updateTimeoutMs });
    const wanted = env.EVENT_STREAM_REPLICAS;
    const { config } = await manager.streams.info(eventStreamName);
    if (config.num_replicas !== wanted)
      await manager.streams.update(eventStreamName, { num_replicas: wanted });
    // a server that is not part of a cluster takes any number and keeps one copy
    const { cluster } = await manager.streams.info(eventStreamName);
    const copies = 1 + (cluster?.replicas?.length ?? 0);
    if (copies < wanted) throw new Error(`NATS keeps ${copies} of ${wanted} copies of the event stream`);
  } finally {
    await nats.drain();
  }
};

/** @throws when an engine does not answer or refuses, such as NATS with fewer servers than copies */
export const provision = async (env: ProvisionEnv, logger: Logger): Promise<void> => {
  await provisionDatabase(env, logger).catch((error: unknown) => {
    throw explainRefusal(env, error);
  });
  await provisionEventStream(env, logger);
  logger.info({ copies: env.EVENT_STREAM_REPLICAS }, 'databases and event stream are prepared');
};
