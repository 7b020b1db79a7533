// The image's own commands: `provision`, `wait` for what it prepares, and `health <service>`, which exits 0 when it is ready.
import { loadEnv } from '@parlance/config';
import { serviceNames } from '@parlance/contracts';
import { createLogger } from '@parlance/observability';
import { HealthEnv, ProvisionEnv, WaitEnv } from './env.js';
import { isReady } from './health.js';
import { provision } from './provision.js';
import { waitUntilPrepared } from './wait.js';

const logger = createLogger({ service: process.argv[2] ?? 'image' });

const health = async (name: string | undefined): Promise<boolean> => {
  const service = serviceNames.find((known) => known === name);
  if (service === undefined) throw new Error(`health takes one of ${serviceNames.join(', ')}`);
  return isReady({ natsUrl: loadEnv(HealthEnv).NATS_URL, service });
};

const run = async ([command, argument]: readonly string[]): Promise<boolean> => {
  if (command === 'health') return health(argument);
  if (command === 'wait') {
    const { POSTGRES_URL: postgresUrl, NATS_URL: natsUrl } = loadEnv(WaitEnv);
    await waitUntilPrepared({ postgresUrl, natsUrl });
    return true;
  }
  if (command !== 'provision') throw new Error('the commands are: provision, wait, health <service>');
  await provision(loadEnv(ProvisionEnv), logger);
  return true;
};

try {
  process.exit((await run(process.argv.slice(2))) ? 0 : 1);
} catch (err) {
  logger.fatal({ err }, 'failed');
  process.exit(1);
}
