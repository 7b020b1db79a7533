// With the token of a call its runtime speaks for that call, and a token of any other kind or key does not pass for one.
import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { SignJWT } from 'jose';
import { CallTokens, callerOfCall } from './call-token.js';
import { CallerSigner, CallerVerifier, platformCaller } from './caller-token.js';

const key = new Secret('k'.repeat(16) + 'y'.repeat(16));
const call = { organizationId: 'org_1', agentId: 'agent_1', callId: 'call_1' };
const refused = { code: 'UNAUTHENTICATED' };
const clockAt = (seconds: number) => ({ now: () => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000) });

describe('the token of a call', () => {
  it('names the organization, the agent and the call', async () => {
    const { token, expiresAt } = await new CallTokens(key, clockAt(0)).issue(call, 600);
    expect(expiresAt).toEqual(clockAt(600).now());
    expect(await new CallTokens(key, clockAt(1)).verify(token)).toEqual(call);
    expect(callerOfCall(call)).toEqual({
      organizationId: 'org_1',
      actor: { type: 'call', id: 'call_1', agentId: 'agent_1' },
      role: 'call',
      permissions: [],
    });
  });

  it('ends a minute after its lifetime, because the clocks of two machines may differ', async () => {
    const { token } = await new CallTokens(key, clockAt(0)).issue(call, 600);
    expect(await new CallTokens(key, clockAt(650)).verify(token)).toEqual(call);
    await expect(new CallTokens(key, clockAt(661)).verify(token)).rejects.toMatchObject(refused);
  });

  it('is no token of a caller, and a token of a caller is none of a call', async () => {
    const { token } = await new CallTokens(key).issue(call, 600);
    await expect(new CallerVerifier(key).verify(token)).rejects.toMatchObject(refused);
    const caller = await new CallerSigner(key).sign(platformCaller('gateway', 'org_1'));
    await expect(new CallTokens(key).verify(caller)).rejects.toMatchObject(refused);
  });

  it.each([
    ['signed with another key', new TextEncoder().encode('o'.repeat(32))],
    ['signed with the key that callers are signed with', new TextEncoder().encode(key.reveal())],
  ])('is refused when it is %s', async (_, otherKey) => {
    const forged = await new SignJWT({ org: 'org_1', agent: 'agent_1' })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('parlance-call')
      .setSubject('call_1')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(otherKey);
    await expect(new CallTokens(key).verify(forged)).rejects.toMatchObject(refused);
  });

  it('is refused when it is changed, unsigned, or no token at all', async () => {
    const { token } = await new CallTokens(key).issue(call, 600);
    const [header, claims = '', signature] = token.split('.');
    const other = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...other, sub: 'call_2' })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const bad of [`${header}.${changed}.${signature}`, `${none}.${claims}.`, 'abc', ''])
      await expect(new CallTokens(key).verify(bad)).rejects.toMatchObject(refused);
  });
});
