// Every credential of an installation by its variable, with those of the engines, which no process of the platform reads.
import {
  acceptKeysEnv,
  baseEnv,
  callerEnv,
  callerPrivateKey,
  cryptoEnv,
  cursorEnv,
  derivedCallerKey,
  derivedPassword,
  livekitEnv,
  objectStorageEnv,
  platformKeys,
  prefixOf,
  secret,
  speechKeyEnv,
  webhookEnv,
} from '@parlance/config';
import { passwordVariableOf, serviceUsers } from '@parlance/messaging';
import { z } from 'zod';
import { MigrateAllEnv } from './env.js';

// They become parts of URLs and of NATS's configuration, so a good one has no characters with a meaning there.
const password = (about: string) =>
  secret(16)
    .meta({ make: 'openssl rand -hex 24', derive: derivedPassword() })
    .describe(`${about} Letters and digits.`);

/** NATS takes them from its environment, and each process has its own in NATS_URL. */
export const natsPasswords = (services: readonly string[]) =>
  Object.fromEntries(
    services.map((name) => [passwordVariableOf(name), password(`Password of ${name} on NATS.`)]),
  );

/** Each process is given its own, as CALLER_PRIVATE_KEY, and no other's. */
export const callerKeys = (services: readonly string[]) =>
  Object.fromEntries(
    services.map((name) => [
      `${prefixOf(name)}_CALLER_PRIVATE_KEY`,
      callerPrivateKey()
        .meta({ derive: derivedCallerKey })
        .describe(`CALLER_PRIVATE_KEY of ${name}, and of no other process.`),
    ]),
  );

const onNats = serviceUsers.map(({ name }) => name);

/** The passwords of engines, each set up by the engine itself. */
export const engineCredentials = {
  POSTGRES_ADMIN_PASSWORD: password('Password of the administrator of Postgres, used by provision only.'),
  NATS_PASSWORD: password(
    'Password of the administrator of NATS, the user parlance, which provision alone signs in as.',
  ),
  ...natsPasswords(onNats),
  NATS_CLUSTER_PASSWORD: password('Password of NATS servers among each other.'),
  MONGODB_ROOT_PASSWORD: password('Password of the administrator of MongoDB.'),
  MONGODB_PASSWORD: password('Password of services on MongoDB.'),
  MONGODB_REPLICA_KEY: password('What members of the MongoDB replica set know each other by.'),
  REDIS_PASSWORD: password("Password of LiveKit's Redis."),
};

/** Read by no process under these names: docker-compose.yml gives each process its own. */
export const composeCredentials = { ...engineCredentials, ...callerKeys(onNats) };

const { ROOT_SECRET, ROOT_SECRET_FILE, ...common } = baseEnv;
const databasePasswords = Object.fromEntries(
  Object.entries(MigrateAllEnv.shape).filter(([name]) => name.endsWith('_DATABASE_PASSWORD')),
);

/** Every credential that can be derived, under the name by which docker-compose.yml takes it. */
export const CredentialsEnv = z.object({
  ...composeCredentials,
  ...databasePasswords,
  CALLER_PUBLIC_KEYS: callerEnv.CALLER_PUBLIC_KEYS,
  ...cryptoEnv,
  ...cursorEnv,
  WEBHOOK_SIGNING_KEY: webhookEnv.WEBHOOK_SIGNING_KEY,
  ...platformKeys,
  LIVEKIT_API_KEY: livekitEnv.LIVEKIT_API_KEY,
  LIVEKIT_API_SECRET: livekitEnv.LIVEKIT_API_SECRET,
  ...speechKeyEnv,
  OBJECT_STORAGE_ACCESS_KEY_ID: objectStorageEnv.OBJECT_STORAGE_ACCESS_KEY_ID,
  OBJECT_STORAGE_SECRET_ACCESS_KEY: objectStorageEnv.OBJECT_STORAGE_SECRET_ACCESS_KEY,
});

/** `secrets`: the credentials that are set, and those that the root secret completes. */
export const SecretsEnv = z.object({
  ...common,
  ROOT_SECRET,
  ...acceptKeysEnv,
  ...CredentialsEnv.shape,
  NATS_SERVERS: z
    .enum(['1', '3'])
    .default('1')
    .describe(
      'How many NATS servers the compose files start; deploy/compose/compose.production.yml sets it.',
    ),
});
export type SecretsEnv = z.output<typeof SecretsEnv>;
