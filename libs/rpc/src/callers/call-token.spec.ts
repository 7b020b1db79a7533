// With the token of a call its runtime speaks for that call. A token of another kind or key does not pass for one.
import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readPrivateKey } from '@parlance/config';
import { SignJWT } from 'jose';
import { CallTokenIssuer, CallTokens, callerOfCall } from './call-token.js';
import { CallerKeys } from './caller-keys.js';
import { CallerSigner, CallerVerifier } from './caller-token.js';
import { EarlierSigner, EarlierVerifier } from './earlier-caller-token.js';
import { platformCaller } from './platform-caller.js';
import { newInstallation } from './testing/caller-envs.js';

const envOf = newInstallation();
const earlier = 'k'.repeat(16) + 'y'.repeat(16);
const both = { CALLER_SIGNING_KEY: earlier };
const call = { organizationId: 'org_1', agentId: 'agent_1', callId: 'call_1' };
const refused = { code: 'UNAUTHENTICATED' };
const clockAt = (seconds: number) => ({ now: () => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000) });
const request = {
  ...{ subject: 'parlance-call', reply: 'r', payload: Buffer.alloc(0), requestId: 'r1', deadline: 0 },
  commandId: undefined,
};

describe.each([
  ['', {}],
  [' while CALLER_SIGNING_KEY is set', both],
])('the token of a call%s', (_, change) => {
  const issuer = (seconds = 0) => new CallTokenIssuer(envOf('agents-config', change), clockAt(seconds));
  const tokens = (seconds = 0) => new CallTokens(envOf('gateway', change), clockAt(seconds));

  it('names the organization, the agent and the call', async () => {
    const { token, expiresAt } = await issuer().issue(call, 600);
    expect(expiresAt).toEqual(clockAt(600).now());
    expect(await tokens(1).verify(token)).toEqual(call);
    expect(callerOfCall(call)).toEqual({
      organizationId: 'org_1',
      actor: { type: 'call', id: 'call_1', agentId: 'agent_1' },
      role: 'call',
      permissions: [],
    });
  });

  it('ends a minute after its lifetime, because the clocks of two machines may differ', async () => {
    const { token } = await issuer().issue(call, 600);
    expect(await tokens(650).verify(token)).toEqual(call);
    await expect(tokens(661).verify(token)).rejects.toMatchObject(refused);
  });

  it('is no token of a caller, and a token of a caller is none of a call', async () => {
    const { token } = await issuer().issue(call, 600);
    const env = envOf('agents-config', both);
    const verifier = new CallerVerifier(new CallerKeys('gateway', envOf('gateway')), clockAt(0));
    expect(() => verifier.verify(token, request)).toThrow(expect.objectContaining(refused));
    const earlierKey = env.CALLER_SIGNING_KEY;
    if (earlierKey === undefined) throw new Error('the key was set');
    await expect(new EarlierVerifier(earlierKey, clockAt(0)).verify(token)).rejects.toMatchObject(refused);
    const who = platformCaller('agents-config', 'org_1');
    const ofCallers = [
      new CallerSigner(new CallerKeys('agents-config', env), clockAt(0)).sign(who, request),
      await new EarlierSigner(earlierKey, clockAt(0)).sign(who),
    ];
    for (const other of ofCallers) await expect(tokens().verify(other)).rejects.toMatchObject(refused);
  });

  it('is refused when another process signed it, or another secret, or the public key as a secret', async () => {
    const forge = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
      new SignJWT({ org: 'org_1', agent: 'agent_1' })
        .setProtectedHeader({ alg })
        .setAudience('parlance-call')
        .setSubject('call_1')
        .setIssuedAt(clockAt(0).now())
        .setExpirationTime(clockAt(600).now())
        .sign(key);
    const publicKey = createPublicKey(readPrivateKey(envOf('agents-config').CALLER_PRIVATE_KEY));
    const forged = [
      await forge('EdDSA', readPrivateKey(envOf('widgets').CALLER_PRIVATE_KEY)),
      await forge('HS256', new TextEncoder().encode('o'.repeat(32))),
      await forge('HS256', new TextEncoder().encode(earlier)),
      await forge('HS256', publicKey.export({ format: 'der', type: 'spki' })),
    ];
    for (const token of forged) await expect(tokens().verify(token)).rejects.toMatchObject(refused);
  });

  it('is refused when it is changed, unsigned, or no token at all', async () => {
    const { token } = await issuer().issue(call, 600);
    const [header, claims = '', signature] = token.split('.');
    const other = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...other, sub: 'call_2' })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const bad of [`${header}.${changed}.${signature}`, `${none}.${claims}.`, 'abc', ''])
      await expect(tokens().verify(bad)).rejects.toMatchObject(refused);
  });
});

describe('a call that runs while CALLER_SIGNING_KEY is taken away', () => {
  const clock = clockAt(0);

  it('keeps its token as long as the gateway has the key as CALLER_SIGNING_KEY_PREVIOUS, and not without', async () => {
    const { token } = await new CallTokenIssuer(envOf('agents-config', both), clock).issue(call, 600);
    const after = envOf('gateway');
    const previous = envOf('gateway', both).CALLER_SIGNING_KEY;
    const kept = new CallTokens({ ...after, CALLER_SIGNING_KEY_PREVIOUS: previous }, clock);
    expect(await kept.verify(token)).toEqual(call);
    await expect(new CallTokens(after, clock).verify(token)).rejects.toMatchObject(refused);
  });

  it('may have a token of the new kind before the gateway has heard of it', async () => {
    const { token } = await new CallTokenIssuer(envOf('agents-config'), clock).issue(call, 600);
    expect(await new CallTokens(envOf('gateway', both), clock).verify(token)).toEqual(call);
  });
});
