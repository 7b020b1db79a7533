// Makes a platform usable without a click: a person, their organization, and a key that may do everything.
import { randomBytes } from 'node:crypto';
import { callerPublicKeysOf, loadEnv, newCallerPrivateKey, type Secret } from '@parlance/config';
import { createLogger, systemClock, systemIds } from '@parlance/observability';
import { Env } from '../environment/env.js';
import { everything, storedPermissions } from './api-key-format.js';
import { type IdentityStore, openIdentityStore } from './identity-store.js';

export interface FirstOrganizationOptions {
  readonly email?: string;
  readonly name?: string;
  readonly keyName?: string;
}

/** Credentials in plain text, for printing once. */
export interface FirstOrganization {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly organizationId: string;
}

const openStore = (env: Env): Promise<IdentityStore> =>
  openIdentityStore({
    env,
    publicUrl: env.PUBLIC_URL ?? 'http://localhost',
    trustedOrigins: [],
    logger: createLogger({ service: 'gateway', level: env.LOG_LEVEL }),
    ids: systemIds,
    clock: systemClock,
  });

/** Tables of accounts are better-auth's own; it needs keys for that, and none of them is kept. */
const preparingEnv = (postgresUrl: Secret): Env => {
  const key = (): string => randomBytes(32).toString('base64');
  const callerKey = newCallerPrivateKey();
  return loadEnv(Env, {
    ...{ POSTGRES_URL: postgresUrl.reveal(), NATS_URL: 'nats://127.0.0.1:1', LOG_LEVEL: 'silent' },
    ...{ CALLER_PRIVATE_KEY: callerKey, CALLER_PUBLIC_KEYS: callerPublicKeysOf({ gateway: callerKey }) },
    ...{ INTERNAL_API_KEY: key(), AUTH_SECRET: key() },
    ...{ LIVEKIT_URL: 'http://127.0.0.1:1', LIVEKIT_WS_URL: 'ws://127.0.0.1:1' },
    ...{ LIVEKIT_API_KEY: 'none', LIVEKIT_API_SECRET: key() },
  });
};

/** Brings the gateway's schema up to date without a gateway: its own tables, and those of accounts. */
export const prepareAccounts = async (postgresUrl: Secret): Promise<void> => {
  const store = await openStore(preparingEnv(postgresUrl));
  await store.close();
};

/**
 * Signs a person up and makes an API key with every permission. A second call for the same e-mail address sets a new
 * password and makes another key. So a first start that broke off can be repeated.
 */
export const createFirstOrganization = async (
  env: Env,
  { email = 'demo@parlance.local', name = 'Demo', keyName = 'first key' }: FirstOrganizationOptions = {},
): Promise<FirstOrganization> => {
  const store = await openStore(env);
  try {
    const password = randomBytes(12).toString('base64url');
    const { userId } = await store.auth.ensureUser({ email, password, name });
    const organizationId = await store.auth.organizationOf(userId);
    const permissions = storedPermissions([everything]);
    const { key } = await store.keys.create({
      name: keyName,
      organizationId,
      userId,
      permissions,
      expiresAt: null,
      allowedAddresses: null,
      mcpConfirm: 'always',
    });
    return { email, password, apiKey: key, organizationId };
  } finally {
    await store.close();
  }
};
