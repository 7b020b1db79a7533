import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  acceptKeysEnv,
  baseEnv,
  ConfigError,
  callerEnv,
  callerPublicKeysOf,
  credentialsOf,
  cryptoEnv,
  cursorEnv,
  fingerprintsOf,
  keyRefusals,
  livekitEnv,
  loadEnv,
  loadProcessEnv,
  mongoEnv,
  natsEnv,
  newCallerPrivateKey,
  objectStorageEnv,
  postgresEnv,
  RootSecret,
  readPrivateKey,
  webhookEnv,
} from './index.js';

const rootSecret = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
/** One character of it is another one. */
const changedSecret = rootSecret.replace('0a', '1a');
const root = { ROOT_SECRET: rootSecret };
const folder = mkdtempSync(join(tmpdir(), 'parlance-root-'));
afterAll(() => rmSync(folder, { recursive: true }));

const Keys = z.object({ ...baseEnv, ...cryptoEnv, ...cursorEnv, ...webhookEnv });
const Engines = z
  .object({ ...baseEnv, ...postgresEnv, ...natsEnv, ...mongoEnv, ...callerEnv })
  .meta({ process: 'calls-logs' });

const refusalOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('expected a ConfigError');
};

describe('a root secret', () => {
  it('derives the same values in every release, so that what an installation has encrypted stays readable', () => {
    // as `openssl kdf -kdfopt digest:SHA256 -kdfopt hexkey:... -kdfopt info:parlance/v1/<variable> HKDF` gives them
    const env = loadEnv(Keys, root);
    expect(env.KEK_ID).toBe('derived-v1-7436fa66');
    expect(env.KEK.reveal()).toBe('05Mew2m9v8SgdKPWr8+4ciGODgZvTNzdOOtPz4YF6oU=');
    expect(env.CURSOR_KEY.reveal()).toBe('QrpS36mgaTrFkWsTSuF4ee1g3kCzx91rqqteXd9oVGA');
    expect(env.WEBHOOK_SIGNING_KEY.reveal()).toBe('TjUR4vNFXwzj4nZtQSdKuW6Byunqb12EpmxXY3C2UEE');
  });

  it('derives values that differ from variable to variable and from secret to secret', () => {
    const values = [rootSecret, changedSecret].flatMap((secret) =>
      credentialsOf(Keys, new RootSecret(secret)).map(([, value]) => value),
    );
    expect(values).toHaveLength(8);
    expect(new Set(values).size).toBe(8);
  });

  it('is read from a file, without the newline at its end', () => {
    const file = join(folder, 'root-secret');
    writeFileSync(file, `${rootSecret}\n`);
    expect(loadEnv(Keys, { ROOT_SECRET_FILE: file }).KEK.reveal()).toBe(loadEnv(Keys, root).KEK.reveal());
  });

  it.each([
    ['one character short', rootSecret.slice(1)],
    ['one character long', `${rootSecret}0`],
    ['in capitals', rootSecret.toUpperCase()],
    ['in base64', Buffer.from(rootSecret, 'hex').toString('base64')],
    ['all zeros', '0'.repeat(64)],
  ])('%s is refused in one sentence that says what to do, and is not printed', (_, value) => {
    const message = refusalOf(() => loadProcessEnv(Keys, { ROOT_SECRET: value }));
    expect(message).toBe(
      'Bad configuration: ROOT_SECRET does not hold a root secret (64 characters of 0-9 and a-f, as `openssl rand -hex 32` prints them): ' +
        'restore the one that this installation was started with. docs/configuration.md describes every variable.',
    );
  });

  it('in a file that is not there is refused with the way out', () => {
    const message = refusalOf(() => loadEnv(Keys, { ROOT_SECRET_FILE: join(folder, 'nothing') }));
    expect(message).toContain(
      'ROOT_SECRET_FILE names a file that cannot be read (ENOENT): mount it, or set ROOT_SECRET',
    );
  });
});

describe('a variable that is set', () => {
  it('wins over the derived value', () => {
    const CURSOR_KEY = 'a key of the operator, of 32 bytes and more';
    const env = loadEnv(Keys, { ...root, CURSOR_KEY });
    expect(env.CURSOR_KEY.reveal()).toBe(CURSOR_KEY);
    expect(env.KEK_ID).toMatch(/^derived-v1-[0-9a-f]{8}$/);
  });

  it('makes the process independent of the root secret once all of them are', () => {
    const all = Object.fromEntries(credentialsOf(Keys, new RootSecret(rootSecret)));
    expect(loadEnv(Keys, { ...root, ...all }).ROOT_SECRET).toBeUndefined();
    expect(loadEnv(Keys, all)).toEqual(loadEnv(Keys, { ...root, ...all }));
    expect(loadEnv(Keys, root).ROOT_SECRET?.reveal()).toBe(rootSecret);
  });

  it('is not completed with half of a pair: a KEK keeps its own id, and an account of LiveKit its own secret', () => {
    const KEK = Buffer.from(changedSecret, 'hex').toString('base64');
    expect(refusalOf(() => loadEnv(Keys, { ...root, KEK }))).toContain('KEK_ID is missing');
    expect(refusalOf(() => loadEnv(Keys, { ...root, KEK_ID: 'kek-1' }))).toContain('KEK is missing');
    const livekit = { ...root, LIVEKIT_URL: 'http://livekit:7880', LIVEKIT_WS_URL: 'ws://livekit:7880' };
    const LiveKit = z.object(livekitEnv);
    expect(loadEnv(LiveKit, livekit)).toMatchObject({ LIVEKIT_API_KEY: 'parlance' });
    expect(refusalOf(() => loadEnv(LiveKit, { ...livekit, LIVEKIT_API_KEY: 'APIelsewhere' }))).toContain(
      'LIVEKIT_API_SECRET is missing',
    );
  });

  it('leaves a bucket that is opened by the role of a machine without an access key', () => {
    const env = loadEnv(z.object(objectStorageEnv), root);
    expect(env.OBJECT_STORAGE_SECRET_ACCESS_KEY).toBeUndefined();
  });
});

describe('the address of an engine', () => {
  const addresses = {
    POSTGRES_URL: 'postgres://calls_logs:@postgres:5432/parlance',
    NATS_URL: 'nats://calls-logs:@nats-1:4222,nats://nats-2:4222',
    MONGODB_URL: 'mongodb://parlance:@mongodb:27017/?replicaSet=rs0',
  };

  it('gets the password of its user where it has an empty one', () => {
    const env = loadEnv(Engines, { ...root, ...addresses });
    const passwords = Object.fromEntries(credentialsOf(Engines, new RootSecret(rootSecret)));
    expect(env.POSTGRES_URL.reveal()).toBe(
      `postgres://calls_logs:${passwords.CALLS_LOGS_DATABASE_PASSWORD}@postgres:5432/parlance`,
    );
    expect(env.NATS_URL).toBe(
      `nats://calls-logs:${passwords.CALLS_LOGS_NATS_PASSWORD}@nats-1:4222,nats://nats-2:4222`,
    );
    expect(env.MONGODB_URL.reveal()).toContain(`parlance:${passwords.MONGODB_PASSWORD}@mongodb`);
    expect(passwords.CALLS_LOGS_DATABASE_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
  });

  it('gets it where Kubernetes found no key in the Secret for a reference', () => {
    const NATS_URL = addresses.NATS_URL.replace(':@', ':$(CALLS_LOGS_NATS_PASSWORD)@');
    expect(loadEnv(Engines, { ...root, ...addresses, NATS_URL })).toEqual(
      loadEnv(Engines, { ...root, ...addresses }),
    );
  });

  it.each(['nats://calls-logs:chosen@nats:4222', 'nats://token@nats:4222', 'nats://nats:4222'])(
    'stays as it is with a password, a token or no user: %s',
    (NATS_URL) => expect(loadEnv(Engines, { ...root, ...addresses, NATS_URL }).NATS_URL).toBe(NATS_URL),
  );

  it('with an empty password is refused without a root secret', () => {
    const message = refusalOf(() => loadEnv(z.object(postgresEnv), { POSTGRES_URL: 'postgres://a:@b/c' }));
    expect(message).toContain('POSTGRES_URL has an empty password');
    expect(message).toContain('set ROOT_SECRET');
  });
});

describe('the keys with which processes sign requests', () => {
  const Caller = (process: string) => z.object(callerEnv).meta({ process });

  it('fit each other: every process finds its own public key in the list that all derive', () => {
    for (const process of ['gateway', 'calls-logs', 'widgets']) {
      const { CALLER_PRIVATE_KEY: own, CALLER_PUBLIC_KEYS: keys } = loadEnv(Caller(process), root);
      const key = createPublicKey(readPrivateKey(own));
      expect(keys.get(process)?.equals(key)).toBe(true);
      expect(keys.size).toBe(9);
    }
  });

  it('are not mixed with keys that were set, which would refuse every request', () => {
    const CALLER_PRIVATE_KEY = newCallerPrivateKey();
    expect(refusalOf(() => loadEnv(Caller('gateway'), { ...root, CALLER_PRIVATE_KEY }))).toContain(
      'CALLER_PUBLIC_KEYS is missing',
    );
    const CALLER_PUBLIC_KEYS = callerPublicKeysOf({ gateway: newCallerPrivateKey() });
    expect(refusalOf(() => loadEnv(Caller('gateway'), { ...root, CALLER_PUBLIC_KEYS }))).toContain(
      'CALLER_PRIVATE_KEY is missing',
    );
    const derived = Object.fromEntries(credentialsOf(Caller('gateway'), new RootSecret(rootSecret)));
    const list = { ...root, CALLER_PUBLIC_KEYS: derived.CALLER_PUBLIC_KEYS };
    expect(loadEnv(Caller('gateway'), list).CALLER_PRIVATE_KEY.reveal()).toBe(derived.CALLER_PRIVATE_KEY);
  });
});

describe('the fingerprint', () => {
  const Process = z.object({ ...baseEnv, ...acceptKeysEnv, ...cryptoEnv, ...cursorEnv });

  it('of a root secret that was changed by one character is another one, and one sentence says what to do', () => {
    const first = new Map(fingerprintsOf(loadEnv(Process, root)).map((one) => [one.name, one.fingerprint]));
    const now = fingerprintsOf(loadEnv(Process, { ROOT_SECRET: changedSecret }));
    const refused = now.filter(({ name, fingerprint }) => first.get(name) !== fingerprint);
    expect(refused.map(({ name }) => name)).toEqual([
      'CURSOR_KEY',
      'KEK',
      expect.stringMatching(/^KEK derived-v1-/),
      'ROOT_SECRET',
    ]);
    expect(keyRefusals(refused)).toMatch(
      /^ROOT_SECRET is not the root secret that this installation was started with: restore that one from your backup; to change it on purpose, set ACCEPT_NEW_KEYS=ROOT_SECRET:[0-9a-f]{12}, and then [^.;]+$/,
    );
  });

  it('of the root secret is left by no process that derives nothing from it', () => {
    const all = Object.fromEntries(credentialsOf(Process, new RootSecret(rootSecret)));
    const names = fingerprintsOf(loadEnv(Process, { ...root, ...all })).map(({ name }) => name);
    expect(names).toEqual(['CURSOR_KEY', 'KEK', expect.stringMatching(/^KEK derived-v1-/)]);
  });
});
