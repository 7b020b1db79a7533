// The place of a process that has its variables in the environment. Also the checks of services, by their folder in a
// checkout or an image.
import { existsSync, readdirSync } from 'node:fs';
import {
  cryptoEnv,
  cursorEnv,
  derivedVariables,
  type EnvSource,
  livekitEnv,
  mongoEnv,
  natsEnv,
  objectStorageEnv,
  postgresEnv,
  rootSecretEnv,
  webhookEnv,
} from '@parlance/config';
import { z } from 'zod';
import { CannotLook } from './command.js';
import type { Check, Place } from './probe/check.js';

/** @param root of the checkout or the image, with a slash at the end */
export const migrationsOf = (root: URL, process: string): URL | undefined => {
  const folders = [new URL(`${process}/migrations/`, root), new URL(`services/${process}/migrations/`, root)];
  return folders.find((folder) => existsSync(folder));
};

/** Variables that checks look at, and that a process derives from a root secret where they are not set. */
const Derivable = z.object({
  ...rootSecretEnv,
  ...postgresEnv,
  ...natsEnv,
  ...mongoEnv,
  ...livekitEnv,
  ...cryptoEnv,
  ...cursorEnv,
  ...objectStorageEnv,
  ...webhookEnv,
});

/** Roles are named as processes are, with other dashes. */
const processBy = ({ POSTGRES_URL, OTEL_SERVICE_NAME }: EnvSource): string => {
  const role = URL.parse(POSTGRES_URL ?? '')?.username ?? '';
  return OTEL_SERVICE_NAME || role.replaceAll('_', '-') || 'the environment';
};

export const hasPlace = (variables: EnvSource, checks: readonly Check[]): boolean =>
  checks.some(({ needs }) => needs.length > 0 && needs.every((name) => Boolean(variables[name])));

/** @throws CannotLook where the environment names no engine */
export const placeOf = (root: URL, variables: EnvSource, checks: readonly Check[]): Place => {
  if (!hasPlace(variables, checks))
    throw new CannotLook(
      'The environment names no engine: give the doctor the variables of a process, as docs/configuration.md has them.',
    );
  const process = processBy(variables);
  return {
    process,
    variables: derivedVariables(Derivable, variables),
    migrations: migrationsOf(root, process),
  };
};

/**
 * Checks that services bring along, as `checks` of their compiled `doctor.js`.
 * @param only the process whose checks are wanted; all services by default
 */
export const checksOfServices = async (root: URL, only?: string): Promise<readonly Check[]> => {
  const services = new URL('services/', root);
  const files = readdirSync(services)
    .filter((name) => only === undefined || name === only)
    .map((name) => new URL(`${name}/dist/doctor.js`, services))
    .filter((file) => existsSync(file));
  const brought: readonly { readonly checks: readonly Check[] }[] = await Promise.all(
    files.map((file) => import(file.href)),
  );
  return brought.flatMap(({ checks }) => checks);
};
