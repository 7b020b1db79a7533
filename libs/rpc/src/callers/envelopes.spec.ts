import { describe, expect, it } from '@jest/globals';
import type { Caller, ServiceName } from '@parlance/contracts';
import type { Msg } from 'nats';
import { readRequest } from '../wire/received.js';
import { platformCaller } from './platform-caller.js';
import { RequestSigner, type UnsignedRequest } from './request-signer.js';
import { RequestVerifier } from './request-verifier.js';
import { clockAt, newInstallation } from './testing/caller-envs.js';

const envOf = newInstallation();
const user: Caller = {
  organizationId: 'org_1',
  actor: { type: 'user', id: 'user_1' },
  role: 'owner',
  permissions: ['agent:read'],
};
const input = { params: {}, query: {}, body: { name: 'Ada ☎' } };
const request: UnsignedRequest = {
  subject: 'parlance.rpc.agents-config.agents.create',
  service: 'agents-config',
  reply: '_INBOX.a.1',
  json: JSON.stringify(input),
  isConfidential: false,
  caller: user,
  requestId: 'r1',
  deadline: 1_767_225_603_000,
  commandId: 'c1',
};

const sentBy = (name: ServiceName, change: Partial<UnsignedRequest> = {}, envs = envOf): Msg => {
  const { payload, headers } = new RequestSigner(name, envs(name), clockAt()).envelope({
    ...request,
    ...change,
  });
  return { subject: request.subject, reply: request.reply, data: payload, headers } as Msg; // all that is read of it
};

const receiver = (clock = clockAt(), name: ServiceName = 'agents-config') => {
  const verifier = new RequestVerifier(name, envOf(name), clock);
  return async (message: Msg) => {
    const received = readRequest(message);
    if (received === undefined) throw new Error('not read');
    const { caller, input } = await verifier.verify(message, received);
    return { caller, input: input(), requestId: received.requestId, commandId: received.commandId };
  };
};

const reasonOf = async (message: Msg, receive = receiver()): Promise<string> => {
  const refusal = await receive(message).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'UNAUTHENTICATED', cause: expect.any(Error) });
  return (refusal as { cause: Error }).cause.message;
};

describe('a request in an envelope', () => {
  it.each([false, true])(
    'gives caller and input to its service, confidential: %s',
    async (isConfidential) => {
      const message = sentBy('gateway', { isConfidential });
      expect(await receiver()(message)).toEqual({ caller: user, input, requestId: 'r1', commandId: 'c1' });
      expect(Buffer.from(message.data).includes('Ada')).toBe(!isConfidential);
    },
  );

  it('is refused by every other service, with another subject, and for another reply', async () => {
    const message = sentBy('gateway');
    const others = [
      reasonOf(message, receiver(clockAt(), 'widgets')),
      reasonOf({ ...message, subject: 'parlance.rpc.agents-config.agents.delete' }),
      reasonOf({ ...message, reply: '_INBOX.eve.1' }),
    ];
    for (const reason of await Promise.all(others)) expect(reason).toContain('was changed, or was not sent');
  });

  it('is refused when it comes from another installation, or from a process without a key', async () => {
    expect(await reasonOf(sentBy('gateway', {}, newInstallation()))).toContain(
      'was not sent with the key of',
    );
    const bytes = Buffer.from(sentBy('gateway').data);
    bytes.write('getaway', bytes.indexOf('gateway'));
    expect(await reasonOf({ ...sentBy('gateway'), data: bytes })).toContain('of an unknown process');
  });

  it('is taken once', async () => {
    const receive = receiver();
    await receive(sentBy('gateway'));
    expect(await reasonOf(sentBy('gateway'), receive)).toContain('was taken before');
  });

  it('is good for 30 seconds, and for the minute by which clocks may differ', async () => {
    const receivedAfter = (seconds: number) => {
      const clock = clockAt();
      clock.pass(seconds);
      return receiver(clock);
    };
    for (const seconds of [-60, 0, 89])
      expect(await receivedAfter(seconds)(sentBy('gateway'))).toMatchObject({ caller: user });
    for (const seconds of [-61, 90, 3_600])
      expect(await reasonOf(sentBy('gateway'), receivedAfter(seconds))).toContain('not valid at this time');
  });

  it('of a service speaks for that service alone', async () => {
    const own = platformCaller('widgets', 'org_1');
    expect(await receiver()(sentBy('widgets', { caller: own }))).toMatchObject({ caller: own });
    for (const caller of [user, platformCaller('gateway', 'org_1'), { ...own, permissions: ['agent:read'] }])
      expect(await reasonOf(sentBy('widgets', { caller }))).toContain('a caller that it may not speak for');
  });

  it('is refused when its form is unknown', async () => {
    const message = sentBy('gateway');
    expect(await reasonOf({ ...message, data: message.data.subarray(0, 60) })).toContain(
      'in an unknown form',
    );
  });
});

it('a process beside those of version 0.1 makes no envelopes, because they read none', () => {
  const CALLER_SIGNING_KEY = 'a signing key of thirty-two bytes';
  expect(new RequestSigner('gateway', envOf('gateway')).makesEnvelopes).toBe(true);
  expect(new RequestSigner('gateway', envOf('gateway', { CALLER_SIGNING_KEY })).makesEnvelopes).toBe(false);
});
