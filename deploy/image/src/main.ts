// The image's own commands: `settings` judges names of variables, `provision` prepares engines, `wait` waits for that, and `health`
// exits 0 while the process is ready.
import { loadEnv, loadProcessEnv, refuseUnread, StartRefusal } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { untilItSucceeds } from './again.js';
import { HealthEnv, ProvisionEnv, WaitEnv } from './env.js';
import { reasonNotReady } from './health.js';
import { provision } from './provision.js';
import { waitUntilPrepared } from './wait.js';

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

const run = async ([command]: readonly string[]): Promise<boolean> => {
  if (command === 'health') return health();
  if (command === 'settings') {
    refuseUnread();
    logger.info('every variable is read by a process');
    return true;
  }
  if (command === 'wait') {
    const { POSTGRES_URL: postgresUrl, NATS_URL: natsUrl } = loadProcessEnv(WaitEnv);
    await waitUntilPrepared({ postgresUrl, natsUrl });
    return true;
  }
  if (command !== 'provision') throw new Error('the commands are: settings, provision, wait, health');
  const env = loadProcessEnv(ProvisionEnv);
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
