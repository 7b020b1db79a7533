import { describe, expect, it } from '@jest/globals';
import { ConfigError, callerPublicKeysOf, newCallerPrivateKey } from '@parlance/config';
import { CallerKeys } from './caller-keys.js';
import { newInstallation } from './testing/caller-envs.js';

const envOf = newInstallation();
const publicKeys = (change: Readonly<Record<string, string>>) => ({
  CALLER_PUBLIC_KEYS: callerPublicKeysOf(change),
});

/** The one line with which a process does not start. */
const refusal = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'starts';
};

describe('a process', () => {
  it('starts with its own private key and everybody’s public keys', () => {
    expect(refusal(() => new CallerKeys('gateway', envOf('gateway')))).toBe('starts');
  });

  it('does not start with the private key of another one, such as a second gateway with a key of its own', () => {
    const problem = 'CALLER_PRIVATE_KEY does not belong to the key of gateway in CALLER_PUBLIC_KEYS';
    expect(refusal(() => new CallerKeys('gateway', envOf('widgets')))).toContain(problem);
    const second = { CALLER_PRIVATE_KEY: newCallerPrivateKey() };
    expect(refusal(() => new CallerKeys('gateway', envOf('gateway', second)))).toContain(problem);
  });

  it('does not start while the public key of a process is missing, and names that process', () => {
    const CALLER_PRIVATE_KEY = newCallerPrivateKey();
    const alone = { CALLER_PRIVATE_KEY, ...publicKeys({ gateway: CALLER_PRIVATE_KEY }) };
    expect(refusal(() => new CallerKeys('gateway', envOf('gateway', alone)))).toMatch(
      /CALLER_PUBLIC_KEYS has no key of agents-config, .*mcp-hub/,
    );
  });

  it.each([
    ['CALLER_PRIVATE_KEY', 'not a key'],
    ['CALLER_PRIVATE_KEY', Buffer.alloc(32, 'ab').toString('base64')],
    ['CALLER_PUBLIC_KEYS', 'gateway'],
    ['CALLER_PUBLIC_KEYS', 'gateway:bm90IGEga2V5'],
    ['CALLER_PUBLIC_KEYS', `${publicKeys({ gateway: newCallerPrivateKey() }).CALLER_PUBLIC_KEYS},gateway:x`],
    ['CALLER_SIGNING_KEY', 'short'],
  ])('does not start with a malformed %s, and shows none of it', (variable, value) => {
    const line = refusal(() => envOf('gateway', { [variable]: value }));
    expect(line).toContain(`${variable} is not valid`);
    if (value.length > 10) expect(line).not.toContain(value);
    expect(line).not.toContain('\n');
  });
});
