// Requests that may hold credentials are sealed for the service that they go to. The logs of the broker, its monitoring and
// listeners on its subjects see no credentials. Each request has a data key, which only the service's private key opens.
import { hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { CannotOpen, decrypt, encrypt, openWith, sealFor } from '@parlance/crypto';
import type { CallerKeys } from './caller-keys.js';

/** The binding of a sealed request: with another row, caller or request id, the sealed bytes do not open. */
export interface ConfidentialPlace {
  readonly subject: string;
  /** Text that tells sender, organization and actor. */
  readonly caller: string;
  readonly requestId: string;
}

export interface Sealed {
  readonly payload: Buffer;
  /** The data key, sealed for the service; travels in a header. */
  readonly key: string;
}

const keyBytes = 32;
const purpose = 'parlance key of a confidential request';

const binding = ({ subject, caller, requestId }: ConfidentialPlace): string =>
  JSON.stringify(['confidential request', subject, caller, requestId]);

/** The one key of all requests in version 0.1. */
const earlierKeyOf = (secret: Secret): Buffer =>
  Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'parlance confidential requests', keyBytes));

export class ConfidentialRequests {
  readonly #keys: CallerKeys;
  readonly #earlier: Buffer | undefined;

  /** @param earlier CALLER_SIGNING_KEY: version 0.1 opens with it and nothing else, so it serves as the data key while it is set */
  constructor(keys: CallerKeys, earlier?: Secret) {
    this.#keys = keys;
    this.#earlier = earlier && earlierKeyOf(earlier);
  }

  seal(service: string, place: ConfidentialPlace, json: string): Sealed {
    const dataKey = this.#earlier ?? randomBytes(keyBytes);
    return {
      payload: encrypt(dataKey, Buffer.from(json, 'utf8'), binding(place)),
      key: sealFor(this.#keys.sealingKeyOf(service), dataKey, { purpose, aad: binding(place) }),
    };
  }

  /**
   * @param key the sealed data key; undefined in a request of version 0.1
   * @throws CannotOpen
   */
  open(place: ConfidentialPlace, payload: Uint8Array, key: string | undefined): string {
    const dataKey =
      key === undefined ? this.#earlier : openWith(this.#keys.opening, key, { purpose, aad: binding(place) });
    if (dataKey === undefined) throw new CannotOpen();
    return decrypt(dataKey, Buffer.from(payload), binding(place)).toString('utf8');
  }
}
