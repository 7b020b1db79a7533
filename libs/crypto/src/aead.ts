// AES-256-GCM with a random nonce: nonce, ciphertext and tag in one buffer. `aad` is bound, not stored.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
export const keyBytes = 32;

/** Sealed under another key, for another purpose, or damaged; which of them is not told. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';

  constructor(cause?: unknown) {
    super('the sealed value cannot be opened', { cause });
  }
}

/** @param key 32 bytes, of which nothing but this seals */
export const encrypt = (key: Buffer, plain: Buffer, aad: string): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(aad));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

/** @throws CannotOpen */
export const decrypt = (key: Buffer, sealed: Buffer, aad: string): Buffer => {
  if (sealed.length < nonceBytes + tagBytes) throw new CannotOpen();
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new CannotOpen(cause);
  }
};

/** Strict: other spellings of the same bytes are refused, so that no sealed value has a twin. */
export const fromBase64Url = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new CannotOpen();
  return bytes;
};
