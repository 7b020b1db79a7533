// The transit engine of HashiCorp Vault or OpenBao.
// https://developer.hashicorp.com/vault/api-docs/secret/transit#encrypt-data
import type { Secret } from '@parlance/config';
import {
  answerWithinMs,
  answerWithout,
  type KeyManagement,
  patiently,
  refused,
  type Wait,
} from './key-management.js';

interface VaultAnswer {
  readonly data?: { readonly ciphertext?: string; readonly plaintext?: string };
  readonly errors?: readonly string[];
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

export interface VaultOptions {
  readonly url: string;
  readonly token: Secret;
  readonly wait?: Wait;
}

/** @param options.url vault+https://host:8200/<mount>/<key> */
export const vaultTransit = ({ url, token, wait }: VaultOptions): KeyManagement => {
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
    const reason = answer.errors?.length ? `: ${answer.errors.join('; ')}` : '';
    throw refused(action, key, `status ${response.status}${reason}`);
  };
  const requestPatiently = (action: 'encrypt' | 'decrypt', body: object): Promise<VaultAnswer> =>
    patiently(() => request(action, body), { place: origin, wait });

  return {
    wrap: async (plain, context) => {
      const body = { plaintext: plain.toString('base64'), associated_data: base64(context) };
      const { data } = await requestPatiently('encrypt', body);
      if (!data?.ciphertext) throw answerWithout('ciphertext', origin);
      return data.ciphertext;
    },
    unwrap: async (ciphertext, context) => {
      const { data } = await requestPatiently('decrypt', { ciphertext, associated_data: base64(context) });
      if (!data?.plaintext) throw answerWithout('plaintext', origin);
      return Buffer.from(data.plaintext, 'base64');
    },
  };
};
