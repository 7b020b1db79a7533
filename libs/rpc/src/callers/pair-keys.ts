// The keys that authenticate requests between two processes. Both derive them from the key agreement of their own private
// key with the other's public key, so no key is distributed, and no third process knows it.
import { createSecretKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto';
import type { CallerKeys } from './caller-keys.js';

const keyBytes = 32;

export class PairKeys {
  readonly #keys: CallerKeys;
  readonly #derived = new Map<string, KeyObject>();

  constructor(keys: CallerKeys) {
    this.#keys = keys;
  }

  /** For requests that this process sends. @throws Error for a process without a key */
  to(receiver: string): KeyObject {
    return this.#key(receiver, [this.#keys.name, receiver]);
  }

  /** For requests that this process receives. @throws Error for a process without a key */
  from(sender: string): KeyObject {
    return this.#key(sender, [sender, this.#keys.name]);
  }

  /** Another key for each direction, so that no request can be returned to its sender. */
  #key(other: string, direction: readonly [sender: string, receiver: string]): KeyObject {
    const info = JSON.stringify(['parlance requests', ...direction]);
    const known = this.#derived.get(info);
    if (known !== undefined) return known;
    const shared = diffieHellman({
      privateKey: this.#keys.opening,
      publicKey: this.#keys.sealingKeyOf(other),
    });
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', shared, '', info, keyBytes)));
    this.#derived.set(info, key);
    return key;
  }
}
