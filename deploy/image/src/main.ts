// The image's own commands: `provision`, `wait` for what it prepares, and `health`, which exits 0 while the process is ready.
import { loadEnv } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { HealthEnv, ProvisionEnv, WaitEnv } from './env.js';
import { reasonNotReady } from './health.js';
import { provision } from './provision.js';
import { waitUntilPrepared } from './wait.js';

const logger = createLogger({ service: process.argv[2] ?? 'image' });

const health = async (): Promise<boolean> => {
  const port = loadEnv(HealthEnv).OPS_PORT;
  if (port === undefined) throw new Error('health needs OPS_PORT, the port of the ops listener');
  const reason = await reasonNotReady({ port });
  if (reason !== undefined) process.stderr.write(`not ready: ${reason.trim()}\n`);
  return reason === undefined;
};

const run = async ([command]: readonly string[]): Promise<boolean> => {
  if (command === 'health') return health();
  if (command === 'wait') {
    const { POSTGRES_URL: postgresUrl, NATS_URL: natsUrl } = loadEnv(WaitEnv);
    await waitUntilPrepared({ postgresUrl, natsUrl });
    return true;
  }
  if (command !== 'provision') throw new Error('the commands are: provision, wait, health');
  await provision(loadEnv(ProvisionEnv), logger);
  return true;
};

try {
  process.exit((await run(process.argv.slice(2))) ? 0 : 1);
} catch (err) {
  logger.fatal({ err }, 'failed');
  process.exit(1);
}
