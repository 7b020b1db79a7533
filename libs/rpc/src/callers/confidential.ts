// Requests that may hold credentials are sealed for the service that they go to. The logs of the broker, its monitoring and
// listeners on its subjects see no credentials. Each request has a data key, which only the service's private key opens.
import {
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Secret } from '@parlance/config';
import { CannotOpen, decrypt, encrypt } from '@parlance/crypto';
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
/** Length of a public X25519 key in DER. */
const pointBytes = 44;

const binding = ({ subject, caller, requestId }: ConfidentialPlace): string =>
  JSON.stringify(['confidential request', subject, caller, requestId]);

const derive = (secret: Buffer, salt: Buffer | string, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, keyBytes));

const wrappingKey = (shared: Buffer, point: Buffer): Buffer =>
  derive(shared, point, 'parlance key of a confidential request');

/** The one key of all requests in version 0.1. */
const earlierKeyOf = (secret: Secret): Buffer =>
  derive(Buffer.from(secret.reveal()), '', 'parlance confidential requests');

const seal = (recipient: KeyObject, dataKey: Buffer, bound: string): string => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const point = publicKey.export({ format: 'der', type: 'spki' });
  const key = wrappingKey(diffieHellman({ privateKey, publicKey: recipient }), point);
  return Buffer.concat([point, encrypt(key, dataKey, bound)]).toString('base64url');
};

/** @throws CannotOpen */
const open = (own: KeyObject, sealed: string, bound: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  const point = bytes.subarray(0, pointBytes);
  try {
    const publicKey = createPublicKey({ key: point, format: 'der', type: 'spki' });
    const key = wrappingKey(diffieHellman({ privateKey: own, publicKey }), point);
    return decrypt(key, bytes.subarray(pointBytes), bound);
  } catch (cause) {
    throw cause instanceof CannotOpen ? cause : new CannotOpen(cause);
  }
};

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
      key: seal(this.#keys.sealingKeyOf(service), dataKey, binding(place)),
    };
  }

  /**
   * @param key the sealed data key; undefined in a request of version 0.1
   * @throws CannotOpen
   */
  open(place: ConfidentialPlace, payload: Uint8Array, key: string | undefined): string {
    const dataKey = key === undefined ? this.#earlier : open(this.#keys.opening, key, binding(place));
    if (dataKey === undefined) throw new CannotOpen();
    return decrypt(dataKey, Buffer.from(payload), binding(place)).toString('utf8');
  }
}
