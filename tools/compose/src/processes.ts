// The processes and jobs of the registry, each with the schema of its environment.
import { Env as VoiceRuntimeEnv } from '@parlance/conversation/voice-env';
import { MigrateAllEnv, ProvisionEnv, SecretsEnv } from '@parlance/provision';
import { loadRegistry, type ProcessRow } from '@parlance/registry';
import { Env as TextRuntimeEnv } from '@parlance/text-runtime/env';
import { z } from 'zod';
import { SpeechEnv } from './speech-env.js';

export interface Process {
  /** In the compose file, and in the image's entry point. */
  readonly name: string;
  readonly env: z.ZodObject;
  /** Runs once, before the others. */
  readonly isOneShot?: boolean;
  /** Not of the platform's image, so its entry point takes no name of a process. */
  readonly hasOwnImage?: boolean;
}

const ServiceModule = z.looseObject({ Env: z.instanceof(z.ZodObject) });

/** @throws Error when the package of the row does not export the schema of its environment as `Env` of `/env` */
const loadProcess = async ({ name, package: from }: ProcessRow): Promise<Process> => {
  const { success, data } = ServiceModule.safeParse(await import(`${from}/env`));
  if (!success) throw new Error(`${from}/env does not export the schema of its environment as Env`);
  return { name, env: data.Env };
};

const loaded: Process[] = [];
// one after the other: Jest cannot link modules that are imported at the same time
for (const row of loadRegistry().processes) loaded.push(await loadProcess(row));

export const processes: readonly Process[] = [
  ...loaded,
  { name: 'provision', env: ProvisionEnv, isOneShot: true },
];

/** Those of the registry's rows `runtimes`. */
export const runtimes: readonly Process[] = [
  { name: 'text-runtime', env: TextRuntimeEnv },
  { name: 'voice-runtime', env: VoiceRuntimeEnv, hasOwnImage: true },
  { name: 'speech', env: SpeechEnv, hasOwnImage: true },
];

/** Of docker compose alone: a cluster has Secrets. */
export const secrets: Process = { name: 'secrets', env: SecretsEnv, isOneShot: true };

/** Brings schemas up to date ahead of a rollout. In the cluster it is a job, with the compose file a command by hand. */
export const migration: Process = { name: 'migrate', env: MigrateAllEnv, isOneShot: true };
