// Key-encryption keys that a key management service has wrapped. A process unwraps its keys once, at its start, so that neither a
// request nor the rate limits of the service stand between a call and its data.
import {
  ciphertextOf,
  isAwsKms,
  isWrapped,
  type KekEnv,
  type KmsEnv,
  Secret,
  StartRefusal,
  wrappedKey,
} from '@parlance/config';
import { keyringOf } from './keyring.js';
import { awsKms } from './kms/aws-kms.js';
import type { KeyManagement } from './kms/key-management.js';
import { vaultTransit } from './kms/vault-transit.js';

/** The key management service of an environment. @throws StartRefusal when it names none */
export const keyManagementOf = ({ KMS_URL: url, KMS_TOKEN: token }: KmsEnv): KeyManagement => {
  if (url !== undefined && isAwsKms(url)) return awsKms({ url, token });
  if (url !== undefined && token !== undefined) return vaultTransit({ url, token });
  throw new StartRefusal('A KEK that begins with kms: takes KMS_URL and KMS_TOKEN');
};

/** A key that was wrapped under one name does not unwrap under another. */
const contextOf = (id: string): string => `parlance kek ${id}`;

/** The value of KEK that stands for a wrapped key. */
export const wrapKek = async (kms: KeyManagement, id: string, key: Secret): Promise<string> =>
  wrappedKey(await kms.wrap(Buffer.from(key.reveal(), 'base64'), contextOf(id)));

const unwrapped = async <E extends KekEnv & KmsEnv>(env: E): Promise<E> => {
  const keks = [[env.KEK_ID, env.KEK] as const, ...(env.KEK_OTHERS ?? [])];
  if (keks.every(([, key]) => !isWrapped(key.reveal()))) return env;
  const kms = keyManagementOf(env);
  const opened = async (id: string, key: Secret): Promise<Secret> => {
    if (!isWrapped(key.reveal())) return key;
    const bytes = await kms.unwrap(ciphertextOf(key.reveal()), contextOf(id));
    return new Secret(bytes.toString('base64'));
  };
  const others: [string, Secret][] = [];
  for (const [id, key] of env.KEK_OTHERS ?? []) others.push([id, await opened(id, key)]);
  return { ...env, KEK: await opened(env.KEK_ID, env.KEK), KEK_OTHERS: new Map(others) };
};

/**
 * The environment with every key as it is used.
 * @throws StartRefusal when a key cannot be unwrapped, or does not fit the check value in its name
 */
export const unwrapKeks = async <E extends KekEnv & KmsEnv>(env: E): Promise<E> => {
  const ready = await unwrapped(env);
  keyringOf(ready);
  return ready;
};
