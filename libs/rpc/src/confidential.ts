// Requests that may hold credentials are sealed for their way over the broker. The logs of the broker, its monitoring
// and listeners on its subjects see no credentials. Gateway and services derive the key from the key that signs
// callers.
import { hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { decrypt, encrypt } from '@parlance/crypto';

/** The binding of a sealed request: with another row, caller or request id, the sealed bytes do not open. */
export interface ConfidentialPlace {
  readonly subject: string;
  /** The signed token, which tells organization, actor and rights. */
  readonly caller: string;
  readonly requestId: string;
}

const keyBytes = 32;

const binding = ({ subject, caller, requestId }: ConfidentialPlace): string =>
  JSON.stringify(['confidential request', subject, caller, requestId]);

export class ConfidentialRequests {
  readonly #key: Buffer;

  constructor(callerSigningKey: Secret) {
    const info = 'parlance confidential requests';
    this.#key = Buffer.from(hkdfSync('sha256', callerSigningKey.reveal(), '', info, keyBytes));
  }

  seal(place: ConfidentialPlace, json: string): Buffer {
    return encrypt(this.#key, Buffer.from(json, 'utf8'), binding(place));
  }

  /** @throws CannotOpen */
  open(place: ConfidentialPlace, sealed: Uint8Array): string {
    return decrypt(this.#key, Buffer.from(sealed), binding(place)).toString('utf8');
  }
}
