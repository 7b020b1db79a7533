// Writes the root secret of a compose project once, and the passwords that engines read from files. Each engine has a folder
// of its own, so that it sees neither the root secret nor the password of another engine.
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  ConfigError,
  derivationOf,
  type EnvSource,
  fingerprintsOf,
  keyRefusals,
  loadProcessEnv,
  newRootSecret,
  RootSecret,
  readRootSecret,
  Secret,
  StartRefusal,
} from '@parlance/config';
import { passwordVariableOf, userNames } from '@parlance/messaging';
import { CredentialsEnv, SecretsEnv } from './credentials-env.js';

/** User and group of a process in its container. */
type Owner = readonly [uid: number, gid: number];

interface EngineFile {
  readonly path: string;
  readonly owner: Owner;
  readonly content: string;
}

const platform: Owner = [1000, 1000];
const postgres: Owner = [999, 999];
const mongodb: Owner = [999, 999];
const redis: Owner = [999, 1000];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Variables as a shell reads them with `.`. */
const shellVariables = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');

const textOf = (env: SecretsEnv, name: string): string => {
  const value: unknown = Reflect.get(env, name);
  return value instanceof Secret ? value.reveal() : String(value ?? '');
};

/** In quotes for the server, which would read some passwords as numbers. */
const natsVariables = (env: SecretsEnv): Readonly<Record<string, string>> => {
  const route = textOf(env, 'NATS_CLUSTER_PASSWORD');
  const names = [...userNames.map(passwordVariableOf), 'NATS_CLUSTER_PASSWORD'];
  return {
    ...Object.fromEntries(names.map((name) => [name, JSON.stringify(textOf(env, name))])),
    NATS_ROUTE_PASSWORD: route,
  };
};

const filesOf = (env: SecretsEnv): readonly EngineFile[] => {
  const text = (name: string): string => textOf(env, name);
  const shell = (...names: readonly string[]): string =>
    shellVariables(Object.fromEntries(names.map((name) => [name, text(name)])));
  const password = text('REDIS_PASSWORD');
  return [
    { path: 'postgres/password', owner: postgres, content: text('POSTGRES_ADMIN_PASSWORD') },
    { path: 'mongodb/root-password', owner: mongodb, content: text('MONGODB_ROOT_PASSWORD') },
    { path: 'mongodb/password', owner: mongodb, content: text('MONGODB_PASSWORD') },
    { path: 'mongodb/replica-key', owner: mongodb, content: text('MONGODB_REPLICA_KEY') },
    { path: 'nats/env', owner: platform, content: shellVariables(natsVariables(env)) },
    {
      path: 'redis/env',
      owner: redis,
      content: shellVariables({ REDIS_PASSWORD: password, REDISCLI_AUTH: password }),
    },
    {
      path: 'livekit/env',
      owner: platform,
      content: shell('LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET', 'REDIS_PASSWORD'),
    },
    { path: 'speech/env', owner: platform, content: shell('SPEECH_KEY') },
    {
      path: 's3/env',
      owner: platform,
      content: shellVariables({
        ROOT_ACCESS_KEY_ID: text('OBJECT_STORAGE_ACCESS_KEY_ID'),
        ROOT_SECRET_ACCESS_KEY: text('OBJECT_STORAGE_SECRET_ACCESS_KEY'),
      }),
    },
  ];
};

/** A file for its owner alone, whole and on the disk before it gets its name. */
const stage = (path: string, [uid, gid]: Owner, content: string): string => {
  const staged = `${path}.${randomUUID()}`;
  writeFileSync(staged, content, { mode: 0o600, flush: true });
  // only root may give files away; anybody else writes them for itself
  if (process.getuid?.() === 0) chownSync(staged, uid, gid);
  return staged;
};

const write = (folder: string, { path, owner, content }: EngineFile): void => {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  renameSync(stage(file, owner, content), file);
};

/** Leaves a file that is already there, which another run may have written meanwhile. */
const writeOnce = (file: string, content: string): void => {
  const staged = stage(file, platform, content);
  try {
    linkSync(staged, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(staged);
  }
};

/** Credentials that somebody outside the compose project may have given out, so one alone says nothing about the others. */
const fromOutside = new Set([
  'INTERNAL_API_KEY',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
  'SPEECH_KEY',
  'OBJECT_STORAGE_ACCESS_KEY_ID',
  'OBJECT_STORAGE_SECRET_ACCESS_KEY',
]);

/**
 * A `.env` that sets credentials and no ROOT_SECRET is of a release before the root secret. One that it has lost must not be
 * replaced by a derived one: the engines and the data know the one before.
 */
const refuseIncomplete = (source: EnvSource, natsServers: string): void => {
  const names = Object.entries(CredentialsEnv.shape)
    .filter(([name, field]) => {
      const derivation = derivationOf(field);
      return derivation !== undefined && derivation.isOptional !== true && !fromOutside.has(name);
    })
    .map(([name]) => name)
    .filter((name) => natsServers === '3' || name !== 'NATS_CLUSTER_PASSWORD');
  const missing = names.filter((name) => !source[name]);
  if (missing.length === 0 || missing.length === names.length) return;
  throw new StartRefusal(
    `.env sets ${names.length - missing.length} credentials and not ${missing.join(', ')}: restore what is missing from ` +
      'your backup, or set ROOT_SECRET (`openssl rand -hex 32`) to have derived what this installation has never had',
  );
};

/** The servers of a cluster have their messages in volumes that a single server does not mount. */
const refuseForgottenCluster = (source: EnvSource): void => {
  if (!source.NATS_CLUSTER_PASSWORD || source.NATS_SERVERS === '3') return;
  throw new StartRefusal(
    '.env sets NATS_CLUSTER_PASSWORD, which belongs to an installation with three NATS servers: set ' +
      'COMPOSE_FILE=docker-compose.yml:deploy/compose/compose.production.yml in .env to keep them, or remove ' +
      'NATS_CLUSTER_PASSWORD to start with one empty server',
  );
};

const rootOf = (folder: string, source: EnvSource): RootSecret => {
  const file = join(folder, 'platform/root-secret');
  const read = readRootSecret({
    ROOT_SECRET: source.ROOT_SECRET,
    ...(existsSync(file) ? { ROOT_SECRET_FILE: file } : {}),
  });
  if (read instanceof RootSecret) return read;
  if (read !== undefined) throw new ConfigError([read]);
  refuseIncomplete(source, source.NATS_SERVERS ?? '1');
  return new RootSecret(newRootSecret());
};

/** Beside the root secret, so that one that was damaged or exchanged is noticed before anything is derived from it. */
const refuseOther = (folder: string, root: RootSecret, accepted: readonly string[]): string => {
  const file = join(folder, 'platform/fingerprint');
  const [own] = fingerprintsOf({ ROOT_SECRET: root.reveal() });
  if (own === undefined) throw new Error('a root secret has a fingerprint');
  const isOther = existsSync(file) && readFileSync(file, 'utf8') !== own.fingerprint;
  if (isOther && !accepted.includes(own.acceptedAs)) throw new StartRefusal(keyRefusals([own]));
  return own.fingerprint;
};

/** @returns false when another run has made the root secret meanwhile: engines get what is derived from that one */
const attempt = (folder: string, source: EnvSource): boolean => {
  refuseForgottenCluster(source);
  const root = rootOf(folder, source);
  const env = loadProcessEnv(SecretsEnv, {
    ...source,
    // of the object storage that the compose project runs
    OBJECT_STORAGE_ACCESS_KEY_ID: source.OBJECT_STORAGE_ACCESS_KEY_ID || 'parlance',
    ROOT_SECRET: root.reveal(),
  });
  const file = join(folder, 'platform/root-secret');
  const isOther = (): boolean => existsSync(file) && readFileSync(file, 'utf8').trimEnd() !== root.reveal();
  const isOvertaken = (): boolean => !source.ROOT_SECRET && isOther();
  if (isOvertaken()) return false;
  const fingerprint = refuseOther(folder, root, env.ACCEPT_NEW_KEYS);
  mkdirSync(join(folder, 'platform'), { recursive: true });
  if (!existsSync(file)) writeOnce(file, root.reveal());
  if (isOvertaken()) return false;
  if (isOther()) write(folder, { path: 'platform/root-secret', owner: platform, content: root.reveal() });
  write(folder, { path: 'platform/fingerprint', owner: platform, content: fingerprint });
  for (const engineFile of filesOf(env)) write(folder, engineFile);
  return true;
};

/**
 * Prepares the folders of the platform and of each engine. Safe to run at every start.
 * @param source the variables that are set; each wins over a derived value
 * @throws StartRefusal in one line, with nothing written
 */
export const writeSecrets = (folder: string, source: EnvSource): void => {
  // The second attempt finds the secret of the other run on the disk.
  if (!attempt(folder, source)) attempt(folder, source);
};
