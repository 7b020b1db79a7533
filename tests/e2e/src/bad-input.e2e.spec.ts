// Every bad request of a stranger gets one clear refusal, and leaves no trace: nothing is stored, no phone rings.
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '@parlance/contracts';
import { eventually, stormSize } from '@parlance/fixtures';
import { finishedCall, required, turns, wrong } from './testing/bad-hand-overs.js';
import {
  addresses,
  agents,
  bodies,
  calls,
  configurations,
  contentTypes,
  type Refusal,
} from './testing/bad-inputs.js';
import { CarefulOrganization, callIds, type Log } from './testing/careful-organization.js';
import { cursorCases } from './testing/cursor-cases.js';
import { forgeries, genuine, manyForgeries } from './testing/forged-webhooks.js';
import { json, type Reply, send, toRefusal } from './testing/refusals.js';
import { pathWith, sampleRequest } from './testing/sample-requests.js';
import { sharedPlatform } from './testing/shared-platforms.js';

const defaultLimit = 256 * 1_024;
/** PARLANCE_TEST_FORGERIES=1000 for the storm in full. */
const forgeryCount = stormSize('PARLANCE_TEST_FORGERIES', 200);
const twoMebibytes = 2 * 1_024 * 1_024;

let world: CarefulOrganization;
let before: unknown;
beforeAll(async () => {
  world = await CarefulOrganization.on(await sharedPlatform('plain'));
  before = await world.settled();
}, 240_000);
afterAll(() => world?.remove());

const writing: readonly Operation[] = operations.filter(
  ({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH',
);
/**
 * All operations share one reader of bodies. What an operation adds are its credentials and the size of its body, so one operation
 * of each combination gets every bad body here, and every other one a body for each kind of refusal.
 */
const kindOf = ({ auth, bodyLimitBytes = defaultLimit }: Operation): string =>
  `${auth.kind} ${bodyLimitBytes}`;
const examples = new Set(
  writing.filter((row) => writing.find((other) => kindOf(other) === kindOf(row)) === row),
);
const oneOfEachRefusal = bodies.filter(
  (body) => bodies.find(([, , refused]) => refused[1] === body[2][1]) === body,
);

describe.each(writing.map((row) => [row.id, row] as const))('%s', (_, row) => {
  it.each(examples.has(row) ? bodies : oneOfEachRefusal)(
    'refuses a body that is %s',
    async (_name, body, refused) => {
      expect(await world.ask(row, json, body)).toEqual(refused);
    },
  );

  it.each(examples.has(row) ? contentTypes : contentTypes.slice(0, 2))(
    'does not read a body of type %s',
    async (type) => {
      const body = Buffer.from(JSON.stringify({ name: 'Front desk' }));
      const headers = type === undefined ? {} : { 'content-type': type };
      expect(await world.ask(row, headers, body)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );

  it('does not unpack a compressed body', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    expect(await world.ask(row, headers, '{}')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('refuses 2 MiB, unless that is what it is for', async () => {
    const body = JSON.stringify({ surely_unknown: 'x'.repeat(twoMebibytes) });
    const fits = (row.bodyLimitBytes ?? defaultLimit) > body.length;
    expect(await world.ask(row, json, body)).toEqual(
      fits ? [400, 'VALIDATION_ERROR'] : [413, 'PAYLOAD_TOO_LARGE'],
    );
  });

  it('refuses a key that it does not know beside good ones', async () => {
    const sample = Object(
      row.auth.kind === 'org' ? (await sampleRequest(row, world.account, world.accounts)).body : {},
    );
    const [status, code] = await world.ask(row, json, JSON.stringify({ ...sample, surely_unknown: 1 }));
    expect([status, ['VALIDATION_ERROR', 'CONFIG_GROUP_INCOMPLETE'].includes(code)]).toEqual([400, true]);
  });
});

describe('an address', () => {
  it.each(addresses)('%s is refused', async (path, refused) => {
    expect(await world.refusal(path)).toEqual(refused);
  });

  const withIds: readonly Operation[] = operations;
  it.each(withIds.flatMap((row) => (row.params === undefined ? [] : [[row.id, row, row.params] as const])))(
    'of %s takes no id that is not one',
    async (_id, row, { shape }) => {
      const path = pathWith(row, Object.fromEntries(Object.keys(shape).map((name) => [name, callIds[1]])));
      const sample =
        row.body && row.auth.kind === 'org'
          ? await sampleRequest(row, world.account, world.accounts)
          : undefined;
      const sent = {
        method: row.method,
        headers: { ...world.credentialsFor(row, callIds[1]), ...(sample ? json : {}) },
      };
      const body = sample && { body: JSON.stringify(sample.body) };
      const [status, code] = toRefusal(await send(`${world.platform.api}${path}`, { ...sent, ...body }));
      expect([status, ['VALIDATION_ERROR', 'INVALID_PHONE_NUMBER'].includes(code)]).toEqual([400, true]);
    },
  );
});

describe('an agent', () => {
  const good = { name: 'Front desk', isActive: true, templateId: null };
  it.each(agents)('with %s is not made', async (_, change, refused) => {
    expect(await world.post('/agents', { ...good, ...change })).toEqual(refused);
  });
  it.each(agents.filter(([, change]) => Object.values(change).every((value) => value !== undefined)))(
    'does not get %s',
    async (_, change, refused) => {
      const body = JSON.stringify(change);
      expect(
        await world.refusal(`/agents/${world.agentId}`, { method: 'PATCH', headers: json, body }),
      ).toEqual(refused);
    },
  );
});

describe('a configuration', () => {
  it.each(configurations)('with %s is not saved', async (_, change, refused) => {
    expect(
      await world.post(`/agents/${world.agentId}/config`, { ...world.configuration, ...change }),
    ).toEqual(refused);
  });
});

describe('a call', () => {
  it.each(calls)('%s is not placed', async (_, change, refused) => {
    const good = {
      agentId: world.agentId,
      phoneNumber: '+14155550100',
      fromNumber: world.fromNumber,
    };
    expect(await world.post('/outbound-calls/quick', { ...good, ...change })).toEqual(refused);
  });

  it.each(['', 'x'.repeat(257), `${'ob_'}\u0000`, 5, null, ['room']])(
    'in a room called %j is not ended',
    async (roomName) => {
      expect(await world.post('/calls/live/end', { roomName })).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
  it('in a room of nobody is not ended', async () => {
    expect(await world.post('/calls/live/end', { roomName: '../ob_1' })).toEqual([
      404,
      'LIVE_CALL_NOT_FOUND',
    ]);
  });
  it("in another organization's room is answered for as one in a room of nobody", async () => {
    const stranger = await world.accounts.create('stranger');
    const answerFor = async (roomName: string): Promise<Reply> => {
      const sent = { method: 'POST', headers: { ...stranger.headers, ...json } };
      const reply = await send(`${world.platform.api}/calls/live/end`, {
        ...sent,
        body: JSON.stringify({ roomName }),
      });
      return { ...reply, text: reply.text.replace(/"requestId":"[^"]+"/, '') };
    };
    const ofNobody = await answerFor(`ob_${randomUUID()}`);
    expect(ofNobody.status).toBe(404);
    expect(await answerFor(world.room)).toEqual(ofNobody);
  });
});

describe('a webhook of the media server', () => {
  const deliver = ({ body, authorization }: ReturnType<typeof genuine>): Promise<Reply> =>
    send(`${world.platform.url}/hooks/livekit`, {
      method: 'POST',
      headers: {
        'content-type': 'application/webhook+json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
    });

  it('is believed when it is genuine', async () => {
    expect((await deliver(genuine('room-of-nobody', world.mediaServer))).status).toBe(200);
  });
  it.each(Object.entries(forgeries))('with %s is not believed', async (_, forge) => {
    expect(toRefusal(await deliver(forge(world.room, world.mediaServer)))).toEqual([
      401,
      'INVALID_SIGNATURE',
    ]);
  });
  it('is not believed in any of many forgeries', async () => {
    const waiting = manyForgeries(forgeryCount, world.room, world.mediaServer, randomInt).values();
    const sender = async (): Promise<void> => {
      for (const forgery of waiting) {
        const refused = toRefusal(await deliver(forgery));
        expect({ forgery, refused }).toEqual({ forgery, refused: [401, 'INVALID_SIGNATURE'] });
      }
    };
    await Promise.all([1, 2, 3, 4].map(sender));
  });
});

describe('the internal operations', () => {
  const ingest = async (headers: Record<string, string>, change: object = {}): Promise<Refusal> => {
    const body = JSON.stringify({ ...finishedCall(world.agentId), ...change });
    return toRefusal(
      await send(`${world.platform.api}/calls`, { method: 'POST', headers: { ...json, ...headers }, body }),
    );
  };
  const forged: readonly (readonly [string, () => Record<string, string>])[] = [
    ['no key', () => ({})],
    ['an empty key', () => ({ 'x-internal-key': '' })],
    ['a wrong key', () => ({ 'x-internal-key': 'wrong' })],
    ['most of the key', () => ({ 'x-internal-key': world.internalKey.slice(0, -1) })],
    ['the key twice', () => ({ 'x-internal-key': `${world.internalKey}, ${world.internalKey}` })],
    ['the key in another case', () => ({ 'x-internal-key': world.internalKey.toUpperCase() })],
    ['an API key', () => world.account.headers],
    ['an API key in its place', () => ({ 'x-internal-key': world.account.apiKey })],
    ['a session', () => ({ cookie: world.account.cookie, origin: world.platform.url })],
    ['the key as a bearer', () => ({ authorization: `Bearer ${world.internalKey}` })],
  ];

  it.each(forged)('take no call for %s', async (_, headers) => {
    expect(await ingest(headers())).toEqual([401, 'INVALID_INTERNAL_KEY']);
  });
  it.each(forged)('give no configuration away for %s', async (_, headers) => {
    const url = `${world.platform.api}/agents/internal-config/${world.agentId}`;
    expect(toRefusal(await send(url, { headers: headers() }))).toEqual([401, 'INVALID_INTERNAL_KEY']);
  });
  const taken = (change: object): Promise<Refusal> => ingest({ 'x-internal-key': world.internalKey }, change);

  it.each(required)('take no call without %s, even with the key', async (field) => {
    expect(await taken({ [field]: undefined })).toEqual([400, 'VALIDATION_ERROR']);
    expect(await taken({ [field]: null })).toEqual([400, 'VALIDATION_ERROR']);
  });
  it.each(Object.entries(wrong))('take no call with a wrong %s', async (field, values) => {
    for (const value of values) {
      const refused = await taken({ [field]: value });
      expect({ value, refused }).toEqual({ value, refused: [400, 'VALIDATION_ERROR'] });
    }
  });
  it('take no call with a key that nobody knows, or with U+0000 in one', async () => {
    expect(await taken({ surely_unknown: 1 })).toEqual([400, 'VALIDATION_ERROR']);
    expect(await taken({ metadata: { 'a\u0000': 1 } })).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('take no call of an organization that never was, and none of another organization’s agent', async () => {
    const stranger = await world.accounts.create('agentless');
    const refused = async (change: object): Promise<unknown> => {
      const body = JSON.stringify({ ...finishedCall(world.agentId), ...change });
      const headers = { ...json, 'x-internal-key': world.internalKey };
      const { status, text } = await send(`${world.platform.api}/calls`, { method: 'POST', headers, body });
      const { error } = JSON.parse(text) as { error: { code: string; details: unknown } }; // the contract's ErrorBody
      return [status, error.code, error.details];
    };
    const unknown = (path: string) => [422, 'UNKNOWN_REFERENCE', { path }];
    expect(await refused({})).toEqual(unknown('body.organizationId'));
    const organizationId = await world.organizationOf(stranger);
    await world.accounts.agent(stranger);
    expect(await refused({ organizationId })).toEqual(unknown('body.agentId'));
    expect(
      await refused({ organizationId: await world.organizationOf(world.account), agentId: randomUUID() }),
    ).toEqual(unknown('body.agentId'));
    expect(await world.read<readonly Log[]>('/calls')).toHaveLength(1);
  });
  it('take transcripts up to the documented limit', async () => {
    const own = () => ({ eventId: randomUUID(), callId: randomUUID() });
    expect(await taken({ ...own(), transcript: turns(20_000) })).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await taken({ ...own(), transcript: turns(10_001) })).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const talker = await world.accounts.create('talker');
    const organizationId = await world.organizationOf(talker);
    const call = { ...finishedCall(await world.accounts.agent(talker)), organizationId, ...own() };
    const body = JSON.stringify({ ...call, transcript: turns(10_000) });
    const headers = { ...json, 'x-internal-key': world.internalKey };
    expect((await send(`${world.platform.api}/calls`, { method: 'POST', headers, body })).status).toBe(201);
  });
  it('suppress the number of a caller who opts out, and nothing for a number that is withheld', async () => {
    const called = await world.accounts.create('called');
    const organizationId = await world.organizationOf(called);
    const agentId = await world.accounts.agent(called);
    const headers = { ...json, 'x-internal-key': world.internalKey };
    const handOver = async (fromNumber: string): Promise<string> => {
      const callId = randomUUID();
      const own = { organizationId, eventId: randomUUID(), callId, fromNumber, optedOut: true };
      const body = JSON.stringify({ ...finishedCall(agentId), ...own });
      const { status } = await send(`${world.platform.api}/calls`, { method: 'POST', headers, body });
      expect(status).toBe(201);
      return callId;
    };
    await handOver('anonymous');
    const callId = await handOver('+14155550177');
    const list = async () => {
      const { text } = await send(`${world.platform.api}/suppressions`, { headers: called.headers });
      return (JSON.parse(text) as { readonly data: unknown }).data; // the contract's envelope
    };
    await eventually(async () =>
      expect(await list()).toMatchObject([
        { phoneNumber: '+14155550177', source: 'call', addedBy: `call:${callId}` },
      ]),
    );
  });
});

describe('a cursor', () => cursorCases(() => world));

describe('after all that', () => {
  it('nothing was stored, nothing was changed, and no phone rang', async () => {
    expect(await world.everything()).toEqual(before);
    expect(await world.settled()).toEqual(before);
  });
});
