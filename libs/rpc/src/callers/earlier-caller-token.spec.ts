import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import type { Caller } from '@parlance/contracts';
import { SignJWT } from 'jose';
import { EarlierSigner, EarlierVerifier } from './earlier-caller-token.js';
import { platformCaller } from './platform-caller.js';

const key = new Secret('k'.repeat(16) + 'y'.repeat(16));
const otherKey = new Secret('o'.repeat(32));
const caller: Caller = {
  organizationId: 'org_1',
  actor: { type: 'key', id: 'key_1' },
  role: 'key',
  permissions: ['agent:read'],
};

const clockAt = (start: string) => {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
};
const start = '2026-01-01T00:00:00.000Z';
const refused = { code: 'UNAUTHENTICATED' };

describe('a signed caller of version 0.1', () => {
  it('arrives as it was sent', async () => {
    const token = await new EarlierSigner(key).sign(caller);
    expect(await new EarlierVerifier(key).verify(token)).toEqual(caller);
  });

  it('is remembered, so that the next request costs a look-up', async () => {
    const verifier = new EarlierVerifier(key);
    const token = await new EarlierSigner(key).sign(caller);
    expect(verifier.known(token)).toBeUndefined();
    const verified = await verifier.verify(token);
    expect(verifier.known(token)).toBe(verified);
  });

  it('is signed once in 30 seconds, however often the same caller asks', async () => {
    const clock = clockAt(start);
    const signer = new EarlierSigner(key, clock);
    const first = await signer.sign(caller);
    clock.pass(29);
    expect(await signer.sign({ ...caller })).toBe(first);
    clock.pass(1);
    expect(await signer.sign(caller)).not.toBe(first);
  });

  it('is never mixed up with one that differs in organization, actor, role or rights', async () => {
    const signer = new EarlierSigner(key);
    const variants: Caller[] = [
      caller,
      { ...caller, organizationId: 'org_2' },
      { ...caller, actor: { type: 'user', id: 'key_1' } },
      { ...caller, actor: { type: 'key', id: 'key_2' } },
      { ...caller, role: 'owner' },
      { ...caller, permissions: ['agent:read', 'agent:delete'] },
      platformCaller('calls-logs', 'org_1'),
    ];
    const tokens = await Promise.all(variants.map((variant) => signer.sign(variant)));
    expect(new Set(tokens).size).toBe(variants.length);
  });

  it('is refused when it has expired, even if it was verified before', async () => {
    const clock = clockAt(start);
    const verifier = new EarlierVerifier(key, clock);
    const token = await new EarlierSigner(key, clock).sign(caller);
    await verifier.verify(token);
    clock.pass(60 + 61);
    expect(verifier.known(token)).toBeUndefined();
    await expect(verifier.verify(token)).rejects.toMatchObject(refused);
  });

  it('is accepted from a machine whose clock is up to a minute away', async () => {
    const token = await new EarlierSigner(key, clockAt(start)).sign(caller);
    for (const skew of [-55, 100]) {
      const clock = clockAt(start);
      clock.pass(skew);
      expect(await new EarlierVerifier(key, clock).verify(token)).toEqual(caller);
    }
  });

  it('is refused when it was signed with another key, for another audience, without end, or not at all', async () => {
    const verifier = new EarlierVerifier(key);
    const secret = new TextEncoder().encode(key.reveal());
    const forged = [
      await new EarlierSigner(otherKey).sign(caller),
      await new SignJWT({ caller })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setAudience('other')
        .setExpirationTime('60s')
        .sign(secret),
      await new SignJWT({ caller })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setAudience('parlance-rpc')
        .sign(secret),
      await new SignJWT({ caller: { organizationId: 'org_1' } })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setAudience('parlance-rpc')
        .setExpirationTime('60s')
        .sign(secret),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ caller })).toString('base64url')}.`,
      'nonsense',
      '',
    ];
    for (const token of forged) await expect(verifier.verify(token)).rejects.toMatchObject(refused);
  });
});
