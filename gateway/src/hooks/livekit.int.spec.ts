import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceRequests } from '@parlance/contracts';
import { type Asked, serveOperation, testEngines } from '@parlance/fixtures';
import type { Outcome } from '@parlance/rpc';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { liveKitCredentials, type Reply } from '../testing/test-gateway.js';

let fixture: Fixture;
let asked: Asked[];
let answer: () => Outcome;

beforeAll(async () => {
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }));
  ({ asked } = await serveOperation(fixture.nats, serviceRequests.callsRoomEvent, () => answer()));
});

beforeEach(() => {
  asked.length = 0;
  answer = () => ({ data: { recorded: true } });
});

afterAll(() => fixture?.stop());

const now = (): number => Math.floor(Date.now() / 1_000);
const eventText = (createdAt = now()): string =>
  JSON.stringify({
    event: 'room_finished',
    id: 'EV_1',
    createdAt: String(createdAt),
    room: { name: 'ob_1', sid: 'RM_1', metadata: '{"callId":"c1"}' },
  });

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Signing {
  readonly secret?: string;
  readonly key?: string;
  readonly algorithm?: string;
  readonly signedBody?: string;
}

/** The token that the media server sends: signed, with the hash of the body in it. */
const tokenFor = (
  body: string,
  { secret, key, algorithm = 'HS256', signedBody = body }: Signing = {},
): string => {
  const claims = {
    iss: key ?? liveKitCredentials.LIVEKIT_API_KEY,
    nbf: now() - 10,
    exp: now() + 300,
    sha256: createHash('sha256').update(signedBody).digest('base64'),
  };
  const signed = `${base64url({ alg: algorithm, typ: 'JWT' })}.${base64url(claims)}`;
  const mac = createHmac('sha256', secret ?? liveKitCredentials.LIVEKIT_API_SECRET).update(signed);
  return `${signed}.${algorithm === 'none' ? '' : mac.digest('base64url')}`;
};

const deliver = (body: string, authorization?: string): Promise<Reply> =>
  fixture.gateway.raw('/hooks/livekit', {
    method: 'POST',
    headers: {
      'content-type': 'application/webhook+json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    raw: body,
  });

describe('a webhook of the media server', () => {
  it('reaches the service and is answered once the service has it', async () => {
    const body = eventText();
    const reply = await deliver(body, tokenFor(body));
    expect([reply.status, reply.body]).toEqual([200, { success: true, message: 'Recorded' }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.input.body).toMatchObject({
      id: 'EV_1',
      type: 'room_finished',
      room: { name: 'ob_1', sid: 'RM_1', metadata: '{"callId":"c1"}' },
    });
  });

  it('is not answered 200 when the service could not store it, so that it comes again', async () => {
    answer = () => ({ error: { code: 'SERVICE_UNAVAILABLE', message: '' } });
    const body = eventText();
    expect((await deliver(body, tokenFor(body))).status).toBe(503);
  });

  it.each<[string, () => [string, string | undefined]]>([
    ['has no signature', () => [eventText(), undefined]],
    [
      'is signed with another secret',
      () => [eventText(), tokenFor(eventText(), { secret: 'another'.repeat(8) })],
    ],
    ['is signed for another project', () => [eventText(), tokenFor(eventText(), { key: 'APIother' })]],
    ['is signed by nobody', () => [eventText(), tokenFor(eventText(), { algorithm: 'none' })]],
    [
      'was changed after signing',
      () => [eventText(), tokenFor(eventText(), { signedBody: eventText(now() - 1) })],
    ],
    ['is ten minutes old', () => [eventText(now() - 600), tokenFor(eventText(now() - 600))]],
    ['is no token at all', () => [eventText(), 'Bearer nonsense']],
  ])('that %s is refused and changes nothing', async (_, forge) => {
    const reply = await deliver(...forge());
    expect([reply.status, reply.body.error.code]).toEqual([401, 'INVALID_SIGNATURE']);
    expect(asked).toHaveLength(0);
  });

  it('that is too large is refused', async () => {
    const body = 'x'.repeat(300_000);
    expect((await deliver(body, tokenFor(body))).status).toBe(413);
  });
});
