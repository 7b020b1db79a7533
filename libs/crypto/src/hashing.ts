// Hashes and comparisons for secrets that only have to be recognised.
import { hash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** SHA-256 in base64url, 43 characters. For values with enough entropy of their own, not for passwords. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** Compares in a time that tells neither the length of the texts nor the place of the first difference. */
export const equalSecrets = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
