// The keys with which gateway and services prove the sender of a request. Each process has a private key of its own,
// and the public keys of all processes. They are Ed25519 keys in base64 of their DER forms, as openssl writes them.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { EnvSource } from './config-problem.js';
import { type Derivation, derivedValue } from './derivation.js';
import { loadEnv } from './env.js';
import { prefixOf, secret } from './fragments.js';
import type { RootSecret } from './root-secret.js';
import { Secret } from './secret.js';
import { variableNames } from './variable-names.js';

/** @throws Error for anything but a private Ed25519 key */
const privateKeyOf = (base64: string): KeyObject => {
  const key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
};

/** @throws Error for anything but a public Ed25519 key */
const publicKeyOf = (base64: string): KeyObject => {
  const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
};

const base64Of = (der: Buffer): string => der.toString('base64');

const isWhole = (parse: (text: string) => unknown, text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

const entry = /^([a-z][a-z-]*):([A-Za-z0-9+/]+=*)$/;

const publicKeys = z.string().transform((list, context): ReadonlyMap<string, KeyObject> => {
  const keys = new Map<string, KeyObject>();
  for (const part of list.split(',')) {
    const [, name = '', key = ''] = entry.exec(part.trim()) ?? [];
    if (name === '' || keys.has(name) || !isWhole(publicKeyOf, key)) {
      context.addIssue(
        'name:key of each process once, separated by commas; a key is a public Ed25519 key in base64',
      );
      return z.NEVER;
    }
    keys.set(name, publicKeyOf(key));
  }
  return keys;
});

/** The command that makes a private key. */
const makeCallerPrivateKey = 'openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A';

/** A private key as a variable has it. */
export const callerPrivateKey = () =>
  secret()
    .refine(
      (value) => isWhole(privateKeyOf, value.reveal()),
      'a private Ed25519 key in base64, as its command in docs/configuration.md makes it',
    )
    .meta({ secret: true, make: makeCallerPrivateKey });

const suffix = '_CALLER_PRIVATE_KEY';

/** Every process with a private key, from the names of all variables. */
const callers: readonly string[] = variableNames
  .filter((name) => name.endsWith(suffix))
  .map((name) => name.slice(0, -suffix.length).toLowerCase().replaceAll('_', '-'));

/** PKCS#8 of an Ed25519 key up to its 32 bytes (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param name of the variable that holds the key of this process alone, such as GATEWAY_CALLER_PRIVATE_KEY */
const privateKeyFrom = (root: RootSecret, name: string): string =>
  base64Of(Buffer.concat([pkcs8Prefix, root.derive(name)]));

/** For a variable that names its process, such as GATEWAY_CALLER_PRIVATE_KEY. */
export const derivedCallerKey: Derivation = derivedValue(({ root, variable }) =>
  privateKeyFrom(root, variable),
);

const ownPrivateKey = (root: RootSecret, process: string): string =>
  privateKeyFrom(root, `${prefixOf(process)}${suffix}`);

const publicKeysFrom = (root: RootSecret): string =>
  callerPublicKeysOf(Object.fromEntries(callers.map((name) => [name, ownPrivateKey(root, name)])));

const derivedPrivateKey = derivedValue(({ root, process }) =>
  process === undefined ? undefined : ownPrivateKey(root, process),
);

/** A list that is set decides: a derived key that is not in it would sign requests that everybody refuses. */
const derivedOwnKey: Derivation = {
  ...derivedPrivateKey,
  fill: (context) => {
    const { given, process } = context;
    const key = derivedPrivateKey.fill(context);
    if (key === undefined || process === undefined || given.CALLER_PUBLIC_KEYS === undefined) return key;
    return given.CALLER_PUBLIC_KEYS.split(',').some(
      (part) => part.trim() === callerPublicKeysOf({ [process]: key }),
    )
      ? key
      : undefined;
  },
};

const derivedPublicKeys = derivedValue(({ root }) => publicKeysFrom(root), {
  when: ({ CALLER_PRIVATE_KEY }) => CALLER_PRIVATE_KEY === undefined,
});

/** The keys with which gateway and services sign and verify requests. */
export const callerEnv = {
  CALLER_PRIVATE_KEY: callerPrivateKey()
    .meta({ derive: derivedOwnKey })
    .describe('Signs the requests that this process sends to services. No other process has it.'),
  CALLER_PUBLIC_KEYS: publicKeys
    .meta({ make: 'sh deploy/compose/public-keys.sh', derive: derivedPublicKeys })
    .describe(
      'The public key of every process that signs requests, as gateway:key,widgets:key; the same everywhere. The command reads the private keys from standard input: add < .env to it.',
    ),
  CALLER_SIGNING_KEY: secret(32)
    .optional()
    .describe(
      'The one key of version 0.1, only while processes of that version still run: docs/upgrading.md. A new installation has none.',
    ),
};

/** The parsed values of `callerEnv`. */
export interface CallerEnv {
  readonly CALLER_PRIVATE_KEY: Secret;
  readonly CALLER_PUBLIC_KEYS: ReadonlyMap<string, KeyObject>;
  readonly CALLER_SIGNING_KEY?: Secret | undefined;
}

/** The private key of a variable. It was parsed before. */
export const readPrivateKey = (key: Secret): KeyObject => privateKeyOf(key.reveal());

/** A new private key, as openssl would make it. */
export const newCallerPrivateKey = (): string =>
  base64Of(generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }));

/** CALLER_PUBLIC_KEYS for private keys by name of their process. */
export const callerPublicKeysOf = (privateKeys: Readonly<Record<string, string>>): string =>
  Object.entries(privateKeys)
    .map(([name, key]) => {
      const publicKey = createPublicKey(privateKeyOf(key));
      return `${name}:${base64Of(publicKey.export({ format: 'der', type: 'spki' }))}`;
    })
    .join(',');

/** Reads `callerEnv` alone. @throws ConfigError */
export const readCallerEnv = (source: EnvSource): CallerEnv => loadEnv(z.object(callerEnv), source);
