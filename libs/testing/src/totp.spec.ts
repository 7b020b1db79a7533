// Tests sign in as an authenticator app would: with the codes of RFC 6238, appendix B.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { totpOf, totpOfUri } from './totp.js';

/** `12345678901234567890` in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('is that of the standard at second %i', (seconds, code) => {
    jest.spyOn(Date, 'now').mockReturnValue(seconds * 1_000);
    expect(totpOf(secret)).toBe(code);
    expect(totpOfUri(`otpauth://totp/Parlance:a@example.com?secret=${secret}&issuer=Parlance`)).toBe(code);
  });

  it('is counted from now in periods of 30 seconds', () => {
    jest.spyOn(Date, 'now').mockReturnValue(59_000 + 30_000);
    expect(totpOf(secret, -1)).toBe('287082');
  });
});
