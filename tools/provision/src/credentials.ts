// Prints the credentials of one process, or of all, for operators who give each process its own and none the root secret.
import { existsSync } from 'node:fs';
import {
  ConfigError,
  credentialsOf,
  type EnvSource,
  prefixOf,
  RootSecret,
  readRootSecret,
  StartRefusal,
} from '@parlance/config';
import { z } from 'zod';
import { CredentialsEnv } from './credentials-env.js';
import { ProvisionEnv } from './env.js';

export const credentialsHelp = `credentials <process> | all

Prints NAME=value for each credential that is derived from ROOT_SECRET or ROOT_SECRET_FILE: of one process, such as
gateway or provision, or of the whole installation. A variable that is set is printed as it is set.

A process that is given all of its own credentials needs no root secret. Put the password of an address into the address:
POSTGRES_URL=postgres://gateway:<GATEWAY_DATABASE_PASSWORD>@postgres:5432/parlance
`;

const HasEnv = z.object({ Env: z.instanceof(z.ZodObject) });

/** Services are compiled before this file, and no dependency of it. */
const schemaOf = async (root: URL, name: string): Promise<z.ZodObject> => {
  if (name === 'all') return CredentialsEnv;
  if (name === 'provision') return ProvisionEnv;
  const folders = /^[a-z-]+$/.test(name)
    ? [new URL(`${name}/`, root), new URL(`services/${name}/`, root)]
    : [];
  const file = folders.map((folder) => new URL('dist/index.js', folder)).find((url) => existsSync(url));
  if (file === undefined)
    throw new StartRefusal(
      `there is no process "${name}": name gateway, a folder of services, provision, or all for every credential`,
    );
  return HasEnv.parse(await import(file.href)).Env;
};

/**
 * @param root of the checkout or the image, with a slash at the end
 * @returns lines of NAME=value
 * @throws StartRefusal for a process that does not exist, or without a root secret
 */
export const credentialLines = async (
  root: URL,
  name: string,
  source: EnvSource,
): Promise<readonly string[]> => {
  const schema = await schemaOf(root, name);
  const secret = readRootSecret(source);
  if (secret !== undefined && !(secret instanceof RootSecret)) throw new ConfigError([secret]);
  if (secret === undefined)
    throw new StartRefusal(
      'there is no root secret to derive from: set ROOT_SECRET, or ROOT_SECRET_FILE to the file that holds it',
    );
  // docker-compose.yml has CALLER_PRIVATE_KEY of a process under the name of the process
  const set = (variable: string) => source[variable] || source[`${prefixOf(name)}_${variable}`];
  return credentialsOf(schema, secret).map(([variable, value]) => `${variable}=${set(variable) || value}`);
};
