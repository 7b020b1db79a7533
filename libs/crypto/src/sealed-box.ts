// Values that one process seals for the private key of another: X25519 with a key pair of one use, HKDF-SHA256, AES-256-GCM.
import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto';
import { CannotOpen, decrypt, encrypt, keyBytes } from './aead.js';

/** What a sealed value is for. It opens under the same purpose and the same binding alone. */
export interface BoxUse {
  /** Fixed text of the code that seals and opens. */
  readonly purpose: string;
  /** The place of this one value. */
  readonly aad: string;
}

/** Length of a public X25519 key in the DER form of SPKI. */
const pointBytes = 44;

const keyOf = (shared: Buffer, point: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', shared, point, purpose, keyBytes));

/** The public key of one use, nonce, ciphertext and tag, in base64url. */
export const sealFor = (recipient: KeyObject, plain: Buffer, { purpose, aad }: BoxUse): string => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const point = publicKey.export({ format: 'der', type: 'spki' });
  const key = keyOf(diffieHellman({ privateKey, publicKey: recipient }), point, purpose);
  return Buffer.concat([point, encrypt(key, plain, aad)]).toString('base64url');
};

/** @throws CannotOpen */
export const openWith = (own: KeyObject, sealed: string, { purpose, aad }: BoxUse): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  const point = bytes.subarray(0, pointBytes);
  try {
    const publicKey = createPublicKey({ key: point, format: 'der', type: 'spki' });
    const key = keyOf(diffieHellman({ privateKey: own, publicKey }), point, purpose);
    return decrypt(key, bytes.subarray(pointBytes), aad);
  } catch (cause) {
    throw cause instanceof CannotOpen ? cause : new CannotOpen(cause);
  }
};

/** @throws CannotOpen for a text that is no public X25519 key */
export const readBoxKey = (text: string): KeyObject => {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'x25519') return key;
  } catch (cause) {
    throw new CannotOpen(cause);
  }
  throw new CannotOpen();
};
