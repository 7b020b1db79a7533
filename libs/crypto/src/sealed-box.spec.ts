import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CannotOpen } from './aead.js';
import { openWith, readBoxKey, sealFor } from './sealed-box.js';

const use = { purpose: 'a purpose', aad: 'a place' };
const plain = Buffer.from('the value');
const { privateKey, publicKey } = generateKeyPairSync('x25519');
const textOf = (key: typeof publicKey): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64url');

describe('a value that is sealed for a key', () => {
  it('opens with the private key, and is different each time', () => {
    const [one, other] = [sealFor(publicKey, plain, use), sealFor(publicKey, plain, use)];
    expect(one).not.toBe(other);
    for (const sealed of [one, other]) expect(openWith(privateKey, sealed, use)).toEqual(plain);
  });

  it('does not open with another key, for another purpose or place, or when it is changed', () => {
    const sealed = sealFor(publicKey, plain, use);
    const stranger = generateKeyPairSync('x25519').privateKey;
    const bytes = Buffer.from(sealed, 'base64url');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const attempts = [
      () => openWith(stranger, sealed, use),
      () => openWith(privateKey, sealed, { ...use, purpose: 'another' }),
      () => openWith(privateKey, sealed, { ...use, aad: 'elsewhere' }),
      () => openWith(privateKey, bytes.toString('base64url'), use),
      () => openWith(privateKey, 'short', use),
      () => openWith(privateKey, '', use),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(CannotOpen);
  });

  it('takes public keys of X25519 and nothing else', () => {
    expect(openWith(privateKey, sealFor(readBoxKey(textOf(publicKey)), plain, use), use)).toEqual(plain);
    for (const text of [textOf(generateKeyPairSync('ed25519').publicKey), 'A'.repeat(59), ''])
      expect(() => readBoxKey(text)).toThrow(CannotOpen);
  });
});
