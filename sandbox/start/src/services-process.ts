// Child process that holds the services that its arguments name. It ends when the platform does, however the platform ends.
import { once } from 'node:events';
import { loadEnv, StartRefusal } from '@parlance/config';
import { z } from 'zod';
import { collectWhenQuiet } from './quiet-collection.js';
import { importService } from './service-modules.js';
import { ServicesEnvironment, services } from './services.js';

// Without its platform the process has no work, and the engines are going away.
process.once('disconnect', () => process.exit(1));
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);
// An instruction that arrives while the services load is kept.
const message = once(process, 'message');

interface Running {
  stop(): Promise<void>;
}
type Start = (env: unknown) => Promise<Running>;

const ServiceModule = z.looseObject({
  Env: z.instanceof(z.ZodObject),
  start: z.custom<Start>((value) => typeof value === 'function'),
});

const modules = await Promise.all(
  services
    .filter(({ name }) => process.argv.slice(2).includes(name))
    .map(async ({ name, package: from }) => ({
      name,
      service: ServiceModule.parse(await importService(from)),
    })),
);

const [instructions] = await message;
const environment = ServicesEnvironment.parse(instructions);
const start = () =>
  Promise.all(
    modules.map(({ name, service }) => service.start(loadEnv(service.Env, environment[name] ?? {}))),
  );

/** A refusal is told to the platform, which tells it to people. */
const startOrRefuse = async () => {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    await new Promise((resolve) => process.send?.({ refusal: error.message }, resolve));
    return process.exit(1);
  }
};
const running = await startOrRefuse();
process.once('SIGTERM', () => {
  Promise.all(running.map((service) => service.stop())).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
collectWhenQuiet();
process.send?.('ready');
