import { createHmac, createPublicKey, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readPrivateKey } from '@parlance/config';
import type { Caller, ServiceName } from '@parlance/contracts';
import { CallerKeys } from './caller-keys.js';
import { CallerSigner, CallerVerifier, type SignedRequest } from './caller-token.js';
import { platformCaller } from './platform-caller.js';
import { clockAt, newInstallation } from './testing/caller-envs.js';

const envOf = newInstallation();
const keysOf = (name: ServiceName): CallerKeys => new CallerKeys(name, envOf(name));
const caller: Caller = {
  organizationId: 'org_1',
  actor: { type: 'key', id: 'key_1' },
  role: 'key',
  permissions: ['agent:read'],
};
const request: SignedRequest = {
  subject: 'parlance.rpc.agents-config.agents.create',
  reply: '_INBOX.a.1',
  payload: Buffer.from('{"body":{"name":"Ada"}}'),
  requestId: 'r1',
  deadline: 1_767_225_603_000,
  commandId: 'c1',
};
const signedBy = (name: ServiceName, who: Caller = caller, clock = clockAt()): string =>
  new CallerSigner(keysOf(name), clock).sign(who, request);
const verifier = (clock = clockAt()) => new CallerVerifier(keysOf('agents-config'), clock);

/** The reason of the verifier's refusal. */
const reasonOf = (token: string, asked: SignedRequest = request, clock = clockAt()): string => {
  try {
    verifier(clock).verify(token, asked);
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNAUTHENTICATED', cause: expect.any(Error) });
    return (error as { cause: Error }).cause.message;
  }
  return 'taken';
};
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('the token of a request', () => {
  it('tells the caller and the process that signed', () => {
    expect(verifier().verify(signedBy('gateway'), request)).toEqual({ caller, issuer: 'gateway' });
  });

  it.each<[string, Partial<SignedRequest>]>([
    ['subject', { subject: 'parlance.rpc.agents-config.agents.delete' }],
    ['payload', { payload: Buffer.from('{"body":{"name":"Eve"}}') }],
    ['reply', { reply: '_INBOX.eve.1' }],
    ['request id', { requestId: 'r2' }],
    ['deadline', { deadline: request.deadline + 60_000 }],
    ['command id', { commandId: 'c2' }],
    ['command id, taken away,', { commandId: undefined }],
  ])('is refused with another %s', (_, other) => {
    expect(reasonOf(signedBy('gateway'), { ...request, ...other })).toContain('is for another request');
  });

  it('is taken once', () => {
    const one = verifier();
    const token = signedBy('gateway');
    one.verify(token, request);
    expect(() => one.verify(token, request)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
  });

  it('is good for 30 seconds, and for the minute by which clocks may differ', () => {
    const verdictAfter = (seconds: number): string => {
      const clock = clockAt();
      clock.pass(seconds);
      return reasonOf(signedBy('gateway'), request, clock);
    };
    expect([-60, 0, 89].map(verdictAfter)).toEqual(['taken', 'taken', 'taken']);
    for (const seconds of [-61, 90, 3_600]) expect(verdictAfter(seconds)).toContain('not valid at this time');
  });
});

describe('a process', () => {
  it('speaks for itself, on behalf of any organization', () => {
    const own = platformCaller('calls-logs', 'org_1');
    expect(verifier().verify(signedBy('calls-logs', own), request)).toEqual({
      caller: own,
      issuer: 'calls-logs',
    });
  });

  it.each<[string, Caller]>([
    ['a user', { ...caller, actor: { type: 'user', id: 'user_1' }, role: 'owner' }],
    ['the gateway', platformCaller('gateway', 'org_1')],
    ['another service', platformCaller('widgets', 'org_1')],
    ['itself in the role of an owner', { ...platformCaller('calls-logs', 'org_1'), role: 'owner' }],
    ['itself with permissions', { ...platformCaller('calls-logs', 'org_1'), permissions: ['agent:read'] }],
    ['a call with its name', { ...caller, actor: { type: 'call', id: 'calls-logs', agentId: 'a' } }],
  ])('that is a service cannot speak for %s', (_, other) => {
    expect(reasonOf(signedBy('calls-logs', other))).toContain('a caller that it may not speak for');
  });
});

describe('a forged token', () => {
  const genuine = signedBy('gateway');
  const [header = '', body = '', signature = ''] = genuine.split('.');

  it('is refused when it was signed with the key of another process, or of another installation', () => {
    const signed = `${header}.${body}`;
    const other = newInstallation();
    for (const env of [envOf('calls-logs'), other('gateway')]) {
      const forged = sign(null, Buffer.from(signed), readPrivateKey(env.CALLER_PRIVATE_KEY));
      expect(reasonOf(`${signed}.${forged.toString('base64url')}`)).toContain(
        'was not signed with the key of gateway in CALLER_PUBLIC_KEYS',
      );
    }
  });

  it('is refused when its claims are changed', () => {
    const changed = part({ ...claimsOf(genuine), caller: { ...caller, role: 'owner' } });
    expect(reasonOf(`${header}.${changed}.${signature}`)).toContain('was not signed');
  });

  it('is refused without a signature, with an algorithm of its own, and as HS256 with the public key as the secret', () => {
    const none = part({ alg: 'none', typ: 'JWT', kid: 'gateway' });
    const hs256 = part({ alg: 'HS256', typ: 'JWT', kid: 'gateway' });
    const publicKey = createPublicKey(readPrivateKey(envOf('gateway').CALLER_PRIVATE_KEY));
    const secrets = [
      publicKey.export({ format: 'der', type: 'spki' }),
      publicKey.export({ format: 'pem', type: 'spki' }),
      Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
    ];
    const macs = secrets.map((key) =>
      createHmac('sha256', key).update(`${hs256}.${body}`).digest('base64url'),
    );
    for (const token of [
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      ...macs.map((mac) => `${hs256}.${body}.${mac}`),
    ])
      expect(reasonOf(token)).toContain('of an unknown issuer');
    expect(reasonOf(`${header}.${body}.`)).toContain('was not signed');
  });

  it('is refused when it is no token, or more than one', () => {
    for (const token of ['', 'nonsense', '..', `${genuine}.${signature}`])
      expect(reasonOf(token)).not.toBe('taken');
  });

  it('is refused when its own process wrote claims that no version knows, or a longer life', () => {
    const withClaims = (change: object): string => {
      const signed = `${header}.${part({ ...claimsOf(genuine), ...change })}`;
      const key = readPrivateKey(envOf('gateway').CALLER_PRIVATE_KEY);
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
    };
    expect(reasonOf(withClaims({ caller: { organizationId: 'org_1' } }))).toContain('unknown claims');
    expect(reasonOf(withClaims({ exp: claimsOf(genuine).iat + 3_600 }))).toContain('wrong claims');
    expect(reasonOf(withClaims({ iss: 'calls-logs' }))).toContain('wrong claims');
    expect(reasonOf(withClaims({}))).toBe('taken');
  });
});
