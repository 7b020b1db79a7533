// Vault's transit engine on the wire: a server with the requests and answers of its documentation.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkedKekId, type KekEnv, type KmsEnv, Secret, StartRefusal } from '@parlance/config';
import { vaultTransit } from './kms/vault-transit.js';
import { unwrapKeks, wrapKek } from './unwrap-keks.js';

const token = 's.test-token';
const master = randomBytes(32);

interface Body {
  readonly plaintext?: string;
  readonly ciphertext?: string;
  readonly associated_data?: string;
}

const transit = {
  '/v1/transit/encrypt/parlance': ({ plaintext = '', associated_data: aad = '' }: Body) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(Buffer.from(aad, 'base64'));
    const sealed = Buffer.concat([cipher.update(plaintext, 'base64'), cipher.final()]);
    return {
      ciphertext: `vault:v1:${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64')}`,
    };
  },
  '/v1/transit/decrypt/parlance': ({ ciphertext = '', associated_data: aad = '' }: Body) => {
    const bytes = Buffer.from(ciphertext.replace('vault:v1:', ''), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12))
      .setAAD(Buffer.from(aad, 'base64'))
      .setAuthTag(bytes.subarray(-16));
    const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
    return { plaintext: plain.toString('base64') };
  },
};

let server: Server;
let url: string;
/** Statuses of the next answers, before the server works. */
let troubles: number[] = [];
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      requests += 1;
      const body = (await json(request)) as Body;
      const answer = (status: number, value: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      const trouble = troubles.shift();
      if (trouble !== undefined) return answer(trouble, { errors: ['Vault is sealed'] });
      if (request.headers['x-vault-token'] !== token) return answer(403, { errors: ['permission denied'] });
      const action = Object.entries(transit).find(([path]) => path === request.url)?.[1];
      if (action === undefined) return answer(404, { errors: [] });
      try {
        return answer(200, { data: action(body) });
      } catch {
        return answer(400, { errors: ['cipher: message authentication failed'] });
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `vault+http://127.0.0.1:${(server.address() as AddressInfo).port}/transit/parlance`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  troubles = [];
  requests = 0;
});

const key = randomBytes(32).toString('base64');
const env = (KEK: string, change: Partial<KekEnv> = {}): KekEnv & KmsEnv => ({
  KEK_ID: 'kek-1',
  KEK: new Secret(KEK),
  KMS_URL: url,
  KMS_TOKEN: new Secret(token),
  ...change,
});
const vault = () => vaultTransit({ url, token: new Secret(token), wait: async () => undefined });

describe('a key management service', () => {
  it('wraps the key-encryption key, and unwraps it when a process starts', async () => {
    const wrapped = await wrapKek(vault(), 'kek-1', new Secret(key));
    expect(wrapped).toMatch(/^kms:vault:v1:/);
    expect(wrapped).not.toContain(key);
    const other = await wrapKek(vault(), 'kek-0', new Secret(key));
    const started = await unwrapKeks(env(wrapped, { KEK_OTHERS: new Map([['kek-0', new Secret(other)]]) }));
    expect(started.KEK.reveal()).toBe(key);
    expect(started.KEK_OTHERS?.get('kek-0')?.reveal()).toBe(key);
  });

  it('is not asked where no key is wrapped', async () => {
    const plain = env(key);
    expect(await unwrapKeks(plain)).toBe(plain);
    expect(requests).toBe(0);
  });

  it('unwraps a key under no other name than the one that it was wrapped under', async () => {
    const wrapped = await wrapKek(vault(), 'another-name', new Secret(key));
    await expect(unwrapKeks(env(wrapped))).rejects.toThrow(/refuses to decrypt.*status 400.*KEK_ID/);
  });

  it('is waited for while it is sealed or busy', async () => {
    const wrapped = await wrapKek(vault(), 'kek-1', new Secret(key));
    troubles = [503, 429, 500];
    const plain = await vault().unwrap(wrapped.slice('kms:'.length), 'parlance kek kek-1');
    expect(plain.toString('base64')).toBe(key);
    troubles = Array(6).fill(503);
    await expect(vault().wrap(Buffer.from('x'), 'y')).rejects.toThrow(/does not answer \(status 503\)/);
  });

  it('is refused with its reason, and without the token, when the token has no right', async () => {
    const denied = vaultTransit({ url, token: new Secret('s.other-token') });
    const refusal = await denied.wrap(Buffer.from('x'), 'y').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefusal);
    expect(String(refusal)).toMatch(/status 403: permission denied/);
    expect(String(refusal)).not.toContain('s.other-token');
    expect(requests).toBe(1);
  });

  it('is no way around the check value in the name of a key', async () => {
    const id = checkedKekId('kek', key);
    const wrapped = await wrapKek(vault(), id, new Secret(randomBytes(32).toString('base64')));
    await expect(unwrapKeks(env(wrapped, { KEK_ID: id }))).rejects.toThrow('does not fit the check value');
  });

  it('has to be named where a key is wrapped', async () => {
    const unnamed = { KEK_ID: 'a', KEK: new Secret('kms:vault:v1:x') };
    await expect(unwrapKeks(unnamed)).rejects.toThrow('takes KMS_URL and KMS_TOKEN');
  });
});
