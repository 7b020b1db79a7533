// The image's own commands: `provision`, and `health <service>`, which exits 0 when the service is ready.
import { loadEnv } from '@parlance/config';
import { serviceNames } from '@parlance/contracts';
import { createLogger } from '@parlance/observability';
import { HealthEnv, ProvisionEnv } from './env.js';
import { isReady } from './health.js';
import { provision } from './provision.js';

const logger = createLogger({ service: 'provision' });

const health = async (name: string | undefined): Promise<boolean> => {
  const service = serviceNames.find((known) => known === name);
  if (service === undefined) throw new Error(`health takes one of ${serviceNames.join(', ')}`);
  return isReady({ natsUrl: loadEnv(HealthEnv).NATS_URL, service });
};

const run = async ([command, argument]: readonly string[]): Promise<boolean> => {
  if (command === 'health') return health(argument);
  if (command !== 'provision') throw new Error('the commands are: provision, health <service>');
  await provision(loadEnv(ProvisionEnv), logger);
  return true;
};

try {
  process.exit((await run(process.argv.slice(2))) ? 0 : 1);
} catch (err) {
  logger.fatal({ err }, 'failed');
  process.exit(1);
}
