// The keys of one process: its own private key, and the public keys of all processes. An Ed25519 key signs. Its X25519
// form opens requests that were sealed for it, so that a process has one key and not two (ADR 11).
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { type CallerEnv, ConfigError, readPrivateKey } from '@parlance/config';
import { serviceNames } from '@parlance/contracts';

const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** One part of a key, as bytes: `x` is public, `d` is private. */
const partOf = (key: KeyObject, part: 'x' | 'd'): Uint8Array =>
  Buffer.from(key.export({ format: 'jwk' })[part] ?? '', 'base64url');

const publicPoint = (signing: KeyObject): string =>
  base64Url(ed25519.utils.toMontgomery(partOf(signing, 'x')));

const sealingKeyOf = (signing: KeyObject): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x: publicPoint(signing) } });

const openingKeyOf = (signing: KeyObject): KeyObject =>
  createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'OKP', crv: 'X25519', x: publicPoint(signing) },
      d: base64Url(ed25519.utils.toMontgomerySecret(partOf(signing, 'd'))),
    },
  });

const refuse = (variable: string, problem: string): never => {
  throw new ConfigError([{ variable, problem }]);
};

export class CallerKeys {
  /** Name of this process: `gateway`, or a service. */
  readonly name: string;
  /** Signs the requests of this process. */
  readonly signing: KeyObject;
  /** Opens the requests that others sealed for this process. */
  readonly opening: KeyObject;
  readonly #publicKeys: ReadonlyMap<string, KeyObject>;
  readonly #sealing: ReadonlyMap<string, KeyObject>;

  /** @throws ConfigError when a public key is missing, or the own one does not belong to the private key */
  constructor(name: string, { CALLER_PRIVATE_KEY, CALLER_PUBLIC_KEYS }: CallerEnv) {
    this.name = name;
    this.signing = readPrivateKey(CALLER_PRIVATE_KEY);
    this.opening = openingKeyOf(this.signing);
    this.#publicKeys = CALLER_PUBLIC_KEYS;
    const missing = serviceNames.filter((known) => !CALLER_PUBLIC_KEYS.has(known));
    if (missing.length > 0) refuse('CALLER_PUBLIC_KEYS', `has no key of ${missing.join(', ')}`);
    if (!createPublicKey(this.signing).equals(this.publicKeyOf(name)))
      refuse('CALLER_PRIVATE_KEY', `does not belong to the key of ${name} in CALLER_PUBLIC_KEYS`);
    this.#sealing = new Map([...CALLER_PUBLIC_KEYS].map(([other, key]) => [other, sealingKeyOf(key)]));
  }

  /** Names of all processes that may sign. */
  get names(): readonly string[] {
    return [...this.#publicKeys.keys()];
  }

  /** Verifies the signatures of that process. @throws Error for a process without a key */
  publicKeyOf(name: string): KeyObject {
    const key = this.#publicKeys.get(name);
    if (key === undefined) throw new Error(`CALLER_PUBLIC_KEYS has no key of ${name}`);
    return key;
  }

  /** Seals for that process. @throws Error for a process without a key */
  sealingKeyOf(name: string): KeyObject {
    const key = this.#sealing.get(name);
    if (key === undefined) throw new Error(`CALLER_PUBLIC_KEYS has no key of ${name}`);
    return key;
  }
}
