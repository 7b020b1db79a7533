import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  baseEnv,
  ConfigError,
  checkedKekId,
  cryptoEnv,
  fingerprintsOf,
  fitsCheckValue,
  loadEnv,
  newRootSecret,
  writtenKeks,
} from '@parlance/config';
import { z } from 'zod';

const newKey = (): string => randomBytes(32).toString('base64');
const envOf = (process: string, variables: Readonly<Record<string, string>>) =>
  loadEnv(z.object({ ...baseEnv, ...cryptoEnv }).meta({ process }), variables);
const keysOf = (env: ReturnType<typeof envOf>) =>
  new Map([
    [env.KEK_ID, env.KEK.reveal()],
    ...[...(env.KEK_OTHERS ?? [])].map(([id, key]) => [id, key.reveal()] as const),
  ]);

describe('the keys of a process', () => {
  it('are one that seals and a list of others that open', () => {
    const [old, older] = [newKey(), newKey()];
    const others = writtenKeks([
      ['old', old],
      ['older', older],
    ]);
    const env = envOf('widgets', { KEK_ID: 'new', KEK: newKey(), KEK_OTHERS: ` ${others}` });
    expect([...keysOf(env)].slice(1)).toEqual([
      ['old', old],
      ['older', older],
    ]);
  });

  it('are refused when the list names a key twice, or holds something that is no key', () => {
    const own = { KEK_ID: 'new', KEK: newKey() };
    for (const KEK_OTHERS of [`a:${newKey()},a:${newKey()}`, newKey(), 'a:short', ':x', 'kms:'])
      expect(() => envOf('widgets', { ...own, KEK_OTHERS })).toThrow(ConfigError);
  });

  it('are derived with the same shared key as in earlier releases, whichever process derives it', () => {
    const ROOT_SECRET = newRootSecret();
    const [widgets, dialer] = [envOf('widgets', { ROOT_SECRET }), envOf('outbound-dialer', { ROOT_SECRET })];
    expect(widgets.KEK.reveal()).toBe(dialer.KEK.reveal());
    expect(widgets.KEK_ID).toMatch(/^derived-v1-[0-9a-f]{8}$/);
  });

  it('differ between services with KEK_SCOPE=service, and open what was sealed before the change and beside it', () => {
    const ROOT_SECRET = newRootSecret();
    const processes = [
      'agents-config',
      'calls-logs',
      'mcp-hub',
      'outbound-dialer',
      'tools-secrets',
      'widgets',
    ];
    const shared = processes.map((process) => envOf(process, { ROOT_SECRET }));
    const own = processes.map((process) => envOf(process, { ROOT_SECRET, KEK_SCOPE: 'service' }));
    expect(new Set(own.map(({ KEK }) => KEK.reveal())).size).toBe(processes.length);
    for (const [index, before] of shared.entries()) {
      const after = own[index];
      if (after === undefined) throw new Error('there is no such process');
      // Replicas of both settings run side by side during the change.
      expect(new Map([...keysOf(before)].sort())).toEqual(new Map([...keysOf(after)].sort()));
    }
    const secretsKey = own[processes.indexOf('tools-secrets')]?.KEK_ID ?? '';
    const opening = processes.filter((process) =>
      keysOf(envOf(process, { ROOT_SECRET, KEK_SCOPE: 'service' })).has(secretsKey),
    );
    expect(opening).toEqual(processes.filter((process) => process !== 'outbound-dialer'));
  });

  it('are not derived beside a KEK of the operator, so that the process needs no root secret', () => {
    const env = envOf('widgets', { ROOT_SECRET: newRootSecret(), KEK_ID: 'own', KEK: newKey() });
    expect([...keysOf(env).keys()]).toEqual(['own']);
    expect(env.ROOT_SECRET).toBeUndefined();
  });
});

describe('a check value in the name of a key', () => {
  it('fits the key alone, and no key that differs by one bit', () => {
    const key = newKey();
    const id = checkedKekId('kek-1', key);
    expect(fitsCheckValue(id, key)).toBe(true);
    for (let bit = 0; bit < 256; bit += 1) {
      const bytes = Buffer.from(key, 'base64');
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(fitsCheckValue(id, bytes.toString('base64'))).toBe(false);
    }
    expect(fitsCheckValue('any-other-name', newKey())).toBe(true);
  });
});

describe('the fingerprints of keys', () => {
  it('accept a key that was known as one of the others, and name each key', () => {
    const [old, next] = [newKey(), newKey()];
    const before = fingerprintsOf({ KEK_ID: 'old', KEK: old, KEK_OTHERS: writtenKeks([['next', next]]) });
    const after = fingerprintsOf({ KEK_ID: 'next', KEK: next, KEK_OTHERS: writtenKeks([['old', old]]) });
    expect(before.map(({ name }) => name)).toEqual(['KEK', 'KEK old', 'KEK next']);
    expect(after[0]?.previous).toEqual([before[0]?.fingerprint]);
    const byName = (list: typeof before) => new Map(list.slice(1).map((one) => [one.name, one.fingerprint]));
    expect(byName(after)).toEqual(byName(before));
  });

  it('are the same whether the environment was parsed or not, and leave out keys that are still wrapped', () => {
    const written = { KEK_ID: 'a', KEK: newKey(), KEK_OTHERS: `b:${newKey()},c:kms:vault:v1:abc` };
    expect(fingerprintsOf(envOf('widgets', written))).toEqual(fingerprintsOf(written));
    expect(fingerprintsOf(written).map(({ name }) => name)).toEqual(['KEK', 'KEK a', 'KEK b']);
    expect(fingerprintsOf({ ...written, KEK: 'kms:vault:v1:abc' })).toEqual([]);
  });
});
