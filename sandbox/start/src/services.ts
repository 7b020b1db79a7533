// Every service but the gateway, in one child process. Both cores of a small machine work, and the edge and the
// services behind it fail apart, as they do in production.
import { platformProcesses } from '@parlance/contracts';
import { type Child, dyingWithParent, startChild } from '@parlance/engines';
import { z } from 'zod';
import { programOf } from './programs.js';

interface Service {
  readonly name: string;
  readonly package: string;
}

/** It has no database and no NATS, and therefore no row of the registry. */
export const textRuntime: Service = { name: 'text-runtime', package: '@parlance/text-runtime' };

/** The processes that run beside the gateway: those of the registry, and the text runtime. */
export const services: readonly Service[] = [
  ...platformProcesses.filter(({ name }) => name !== 'gateway'),
  textRuntime,
];

/** The environment of each service that a child runs, by name. */
export const ServicesEnvironment = z.record(z.string(), z.record(z.string(), z.string()));
export type ServicesEnvironment = z.infer<typeof ServicesEnvironment>;

/** Loads the services at once, starts them when their environment is known; resolves when every service answers. */
export const startServices = (
  names: readonly string[],
  environment: Promise<ServicesEnvironment>,
  files: { readonly log: string; readonly pid: string },
): Promise<Child> =>
  startChild({
    name: 'services',
    command: dyingWithParent([process.execPath, programOf('services-process'), ...names], 'KILL'),
    instructions: environment,
    logFile: files.log,
    pidFile: files.pid,
    ipc: true,
  });
