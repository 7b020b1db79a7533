// The code that an authenticator app shows (RFC 6238).
import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const periodMs = 30_000;

const bytesOf = (base32: string): Buffer => {
  const letters = [...base32.replaceAll('=', '')];
  const bits = letters.map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/**
 * @param secret in base32, as people type it into the app
 * @param periods the distance from now, in periods of 30 seconds
 */
export const totpOf = (secret: string, periods = 0): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / periodMs) + periods));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};

/** @param uri the content of the picture that people show to the app: `otpauth://totp/...?secret=...` */
export const totpOfUri = (uri: string, periods = 0): string =>
  totpOf(new URL(uri).searchParams.get('secret') ?? '', periods);
