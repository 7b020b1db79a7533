// Key management services, which wrap and unwrap the key-encryption key. A process unwraps its keys once, at its start, so that
// neither a request nor the rate limits of the service stand between a call and its data.
import { setTimeout as pause } from 'node:timers/promises';
import {
  ciphertextOf,
  isWrapped,
  type KekEnv,
  type KmsEnv,
  Secret,
  StartRefusal,
  wrappedKey,
} from '@parlance/config';
import { keyringOf } from './keyring.js';

export interface KeyManagement {
  /** @param context is bound to the result; the same is needed to unwrap it */
  wrap(key: Buffer, context: string): Promise<string>;
  unwrap(ciphertext: string, context: string): Promise<Buffer>;
}

interface VaultAnswer {
  readonly data?: { readonly ciphertext?: string; readonly plaintext?: string };
  readonly errors?: readonly string[];
}

const answerWithinMs = 10_000;
/** A service that is sealed, busy or on its way to another node is worth a wait at the start. */
const tries = 6;
const firstPauseMs = 500;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

export interface VaultOptions {
  readonly url: string;
  readonly token: Secret;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * The transit engine of HashiCorp Vault or OpenBao.
 * https://developer.hashicorp.com/vault/api-docs/secret/transit#encrypt-data
 * @param options.url vault+https://host:8200/<mount>/<key>
 */
export const vaultTransit = ({ url, token, wait = pause }: VaultOptions): KeyManagement => {
  const { origin, pathname } = new URL(url.replace(/^vault\+/, ''));
  const path = pathname.replace(/^\/|\/$/g, '').split('/');
  const key = path.at(-1) ?? '';
  const mount = path.slice(0, -1).join('/');

  const request = async (action: 'encrypt' | 'decrypt', body: object): Promise<VaultAnswer> => {
    const response = await fetch(`${origin}/v1/${mount}/${action}/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vault-token': token.reveal() },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`);
    // Vault's errors name the path and the reason, never the plaintext.
    const answer = (await response.json().catch(() => ({}))) as VaultAnswer;
    if (response.ok) return answer;
    throw new StartRefusal(
      `The key management service refuses to ${action} with the key ${key} (status ${response.status}${
        answer.errors?.length ? `: ${answer.errors.join('; ')}` : ''
      }): compare KMS_URL, KMS_TOKEN, and KEK with its KEK_ID`,
    );
  };

  const requestPatiently = async (action: 'encrypt' | 'decrypt', body: object): Promise<VaultAnswer> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await request(action, body);
      } catch (error) {
        if (error instanceof StartRefusal) throw error;
        if (tried === tries)
          throw new StartRefusal(
            `The key management service at ${origin} does not answer (${error instanceof Error ? error.message : 'unknown error'})`,
          );
      }
      await wait(firstPauseMs * 2 ** (tried - 1));
    }
  };

  const without = (member: string): StartRefusal =>
    new StartRefusal(`The answer of the key management service at ${origin} has no ${member}`);

  return {
    wrap: async (plain, context) => {
      const body = { plaintext: plain.toString('base64'), associated_data: base64(context) };
      const { data } = await requestPatiently('encrypt', body);
      if (!data?.ciphertext) throw without('ciphertext');
      return data.ciphertext;
    },
    unwrap: async (ciphertext, context) => {
      const { data } = await requestPatiently('decrypt', { ciphertext, associated_data: base64(context) });
      if (!data?.plaintext) throw without('plaintext');
      return Buffer.from(data.plaintext, 'base64');
    },
  };
};

/** The key management service of an environment. @throws StartRefusal when it names none */
export const keyManagementOf = ({ KMS_URL, KMS_TOKEN }: KmsEnv): KeyManagement => {
  if (KMS_URL === undefined || KMS_TOKEN === undefined)
    throw new StartRefusal('A KEK that begins with kms: takes KMS_URL and KMS_TOKEN');
  return vaultTransit({ url: KMS_URL, token: KMS_TOKEN });
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
