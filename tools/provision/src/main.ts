// The image's own commands. `settings` judges names of variables, `secrets` writes the files with which engines of a compose project
// start, and `credentials` prints what is derived from the root secret. `provision` prepares engines, and `migrate` brings schemas
// up to date. `wait` waits for prepared engines, and `health` exits 0 while the process is ready.
import { parseArgs } from 'node:util';
import { loadEnv, loadProcessEnv, refuseUnread, StartRefusal } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { untilItSucceeds } from './again.js';
import { HealthEnv, MigrateAllEnv, MigrateEnv, ProvisionEnv, WaitEnv } from './env.js';
import { reasonNotReady } from './health.js';

// A container is asked for its health every few seconds, so a command loads the drivers that it needs and no others.

const logger = createLogger({ service: process.argv[2] ?? 'image' });

/** A healthy cluster of NATS may have no leader yet, and a database may be restarting. */
const provisionLimitMs = 120_000;

const health = async (): Promise<boolean> => {
  const port = loadEnv(HealthEnv).OPS_PORT;
  if (port === undefined) throw new Error('health needs OPS_PORT, the port of the ops listener');
  const reason = await reasonNotReady({ port });
  if (reason !== undefined) process.stderr.write(`not ready: ${reason.trim()}\n`);
  return reason === undefined;
};

const root = new URL('../../../', import.meta.url);
/** `provision` may still be making the roles. One migration may take longer than that. */
const migrateLimitMs = 300_000;

/** `migrate all` has the variables of `provision`, and `migrate <process>` those of the process. */
const migrateSchemas = async (args: readonly string[]): Promise<boolean> => {
  const { values, positionals } = parseArgs({
    ...{ args: [...args], allowPositionals: true, options: { contract: { type: 'boolean' } } },
  });
  const [{ migrateProcess, targetsOf }, { passwordsByRole }] = await Promise.all([
    import('./migrate.js'),
    import('./provision.js'),
  ]);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error('migrate all, or migrate <process>; --contract');
  const env = name === 'all' ? loadProcessEnv(MigrateAllEnv) : undefined;
  const targets =
    env === undefined
      ? [{ process: name, postgresUrl: loadEnv(MigrateEnv).POSTGRES_URL }]
      : targetsOf(env.POSTGRES_ADMIN_URL, passwordsByRole(env));
  for (const target of targets)
    await untilItSucceeds(
      `the schema of ${target.process} could not be migrated`,
      () => migrateProcess(target, { root, contract: values.contract === true, logger }),
      {
        limitMs: env === undefined ? 0 : migrateLimitMs,
        onFailure: (reason) =>
          logger.warn({ process: target.process, reason }, 'a schema cannot be migrated yet'),
      },
    );
  return true;
};

/** The volumes of docker-compose.yml, as `secrets` mounts them. */
const secretsFolder = '/run/parlance';

const printCredentials = async ([name, ...more]: readonly string[]): Promise<boolean> => {
  const { credentialLines, credentialsHelp } = await import('./credentials.js');
  const isHelp = name === '--help';
  if (isHelp || name === undefined || more.length > 0) {
    (isHelp ? process.stdout : process.stderr).write(credentialsHelp);
    return isHelp;
  }
  const lines = await credentialLines(root, name, process.env);
  process.stdout.write(`${lines.join('\n')}\n`);
  return true;
};

const run = async ([command, ...args]: readonly string[]): Promise<boolean> => {
  if (command === 'health') return health();
  if (command === 'settings') {
    refuseUnread();
    logger.info('every variable is read by a process');
    return true;
  }
  if (command === 'secrets') {
    const { writeSecrets } = await import('./secrets.js');
    writeSecrets(args[0] ?? secretsFolder, process.env);
    logger.info('the credentials of the engines are written');
    return true;
  }
  if (command === 'credentials') return printCredentials(args);
  if (command === 'wait') {
    const { POSTGRES_URL: postgresUrl, NATS_URL: natsUrl } = loadProcessEnv(WaitEnv);
    const { waitUntilPrepared } = await import('./wait.js');
    await waitUntilPrepared({ postgresUrl, natsUrl });
    return true;
  }
  if (command === 'migrate') return migrateSchemas(args);
  if (command !== 'provision')
    throw new Error('the commands are: settings, secrets, credentials, provision, migrate, wait, health');
  const env = loadProcessEnv(ProvisionEnv);
  const { provision } = await import('./provision.js');
  await untilItSucceeds('the engines could not be prepared', () => provision(env, logger), {
    limitMs: provisionLimitMs,
    onFailure: (reason) => logger.warn({ reason }, 'an engine cannot be prepared yet'),
  });
  return true;
};

try {
  process.exit((await run(process.argv.slice(2))) ? 0 : 1);
} catch (err) {
  logger.fatal(err instanceof StartRefusal ? { reason: err.message } : { err }, 'failed');
  process.exit(1);
}
