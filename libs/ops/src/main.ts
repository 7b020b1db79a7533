// The entry point of a service with commands of operators: one of its commands, or the service itself.
import { type KekEnv, type KmsEnv, loadProcessEnv } from '@parlance/config';
import { unwrapKeks } from '@parlance/crypto';
import { type RunningService, runMain } from '@parlance/observability';
import type { z } from 'zod';
import { runKekCommand, type SealingService } from './kek.js';
import type { ServiceMainHost } from './service-main.js';

/** @returns the exit status, or undefined where the process was started for something else */
export type MainCommand = (host: ServiceMainHost) => Promise<number | undefined>;

type SealingEnv = z.ZodObject & z.ZodType<KekEnv & KmsEnv>;

export interface SealingMain<T extends SealingEnv> {
  readonly env: T;
  readonly sealing: SealingService;
  readonly start: (env: Readonly<z.output<T>>) => Promise<RunningService>;
  /** Commands beside `kek`, by which an operator starts the service's program. */
  readonly commands?: readonly MainCommand[];
}

/** Runs the command that the arguments of the process name, or the service until it is stopped. */
export const runServiceMain = async (
  commands: readonly MainCommand[],
  start: () => Promise<RunningService>,
): Promise<void> => {
  const host: ServiceMainHost = {
    args: process.argv.slice(2),
    variables: process.env,
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
  };
  for (const command of commands) {
    const status = await command(host);
    if (status === undefined) continue;
    process.exitCode = status;
    return;
  }
  await runMain(start);
};

/** The same for a service that seals values. */
export const runSealingMain = <T extends SealingEnv>({
  env,
  sealing,
  start,
  commands = [],
}: SealingMain<T>): Promise<void> =>
  runServiceMain([(host) => runKekCommand(sealing, host), ...commands], async () =>
    start(await unwrapKeks(loadProcessEnv(env))),
  );
