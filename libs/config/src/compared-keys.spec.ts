import { describe, expect, it } from '@jest/globals';
import {
  acceptKeysEnv,
  callerPublicKeysOf,
  comparedKeys,
  fingerprintsOf,
  keyRefusal,
  loadEnv,
  newCallerPrivateKey,
  readCallerEnv,
  Secret,
} from '@parlance/config';
import { z } from 'zod';

const key = 'a key of forty characters, long enough..';
const only = (env: object) => {
  const [fingerprint, ...more] = fingerprintsOf(env);
  expect(more).toEqual([]);
  if (fingerprint === undefined) throw new Error('there is no fingerprint');
  return fingerprint;
};

describe('a fingerprint', () => {
  it('is the same for the same key, whether the environment was parsed or not', () => {
    expect(only({ AUTH_SECRET: new Secret(key) })).toEqual(only({ AUTH_SECRET: key }));
    const privateKey = newCallerPrivateKey();
    const CALLER_PUBLIC_KEYS = callerPublicKeysOf({ gateway: privateKey, widgets: newCallerPrivateKey() });
    const parsed = readCallerEnv({ CALLER_PRIVATE_KEY: privateKey, CALLER_PUBLIC_KEYS });
    expect(fingerprintsOf({ CALLER_PUBLIC_KEYS })).toEqual(fingerprintsOf(parsed));
  });

  it('differs for another key, and for the same key in another variable', () => {
    const seen = [
      only({ AUTH_SECRET: key }),
      only({ AUTH_SECRET: `${key}.` }),
      only({ CURSOR_KEY: key }),
      ...['one', 'two'].flatMap((KEK_ID) => fingerprintsOf({ KEK: key, KEK_ID }).slice(0, 1)),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('of a list of public keys is one of each, and the order of the list means nothing', () => {
    const [one, other] = [newCallerPrivateKey(), newCallerPrivateKey()];
    const of = (keys: Record<string, string>) =>
      fingerprintsOf({ CALLER_PUBLIC_KEYS: callerPublicKeysOf(keys) });
    expect(of({ gateway: one, widgets: other })).toEqual(of({ widgets: other, gateway: one }));
    expect(of({ gateway: one, widgets: other }).map(({ name }) => name)).toEqual([
      'CALLER_PUBLIC_KEYS gateway',
      'CALLER_PUBLIC_KEYS widgets',
    ]);
  });

  it('of a variable that is absent or empty is not there', () => {
    expect(fingerprintsOf({ AUTH_SECRET: '', CURSOR_KEY: undefined })).toEqual([]);
  });

  it('comes with the one of the key before, where a process takes both', () => {
    const before = only({ QUOTE_KEY: `${key} before` });
    expect(only({ QUOTE_KEY: key, QUOTE_KEY_PREVIOUS: `${key} before` }).previous).toEqual([
      before.fingerprint,
    ]);
  });
});

describe('a refusal', () => {
  it.each(Object.entries(comparedKeys).filter(([name]) => !/^(CALLER_PUBLIC_KEYS|ROOT_SECRET)$/.test(name)))(
    'of %s names the variable and the ways out, and no key',
    (variable, { previous }) => {
      const [own] = fingerprintsOf({ [variable]: key, KEK_ID: 'one' });
      if (own === undefined) throw new Error('there is no fingerprint');
      const text = keyRefusal(own);
      expect(text).toMatch(new RegExp(`^${variable} is not the key that the copies before had`));
      expect(text).toContain('give this copy theirs');
      const accepted = /set ACCEPT_NEW_KEYS=([^,;]+), and then /.exec(text)?.[1] ?? '';
      const parsed = loadEnv(z.object(acceptKeysEnv), { ACCEPT_NEW_KEYS: accepted });
      expect(parsed.ACCEPT_NEW_KEYS).toEqual([own.acceptedAs]);
      if (previous !== undefined) expect(text).toContain(`keep the one before as ${previous}`);
      expect(text).not.toContain(key);
    },
  );

  it('is not what ACCEPT_NEW_KEYS takes without a fingerprint', () => {
    for (const value of ['AUTH_SECRET', 'AUTH_SECRET:', 'AUTH_SECRET:yes', 'all'])
      expect(() => loadEnv(z.object(acceptKeysEnv), { ACCEPT_NEW_KEYS: value })).toThrow('ACCEPT_NEW_KEYS');
  });
});
