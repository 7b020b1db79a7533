// Whatever strangers send gets one clear refusal, and leaves no trace: nothing is stored, no phone rings.
import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { type Operation, operations } from '@parlance/contracts';
import { CallTokens } from '@parlance/rpc';
import { eventually } from '@parlance/testing';
import { DataFolder } from './data-folder.js';
import { type Account, Accounts } from './testing/accounts.js';
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
import { forgeries, genuine, type MediaServerKey, manyForgeries } from './testing/forged-webhooks.js';
import { generous } from './testing/generous.js';
import { type Reply, type Sent, send, toRefusal } from './testing/refusals.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';
import { pathWith, randomIds, sampleRequest } from './testing/sample-requests.js';

const json = { 'content-type': 'application/json' };
const defaultLimit = 256 * 1_024;
const twoMebibytes = 2 * 1_024 * 1_024;

let platform: RunningPlatform;
let accounts: Accounts;
let account: Account;
let agentId: string;
let fromNumber: string;
let configuration: Record<string, unknown>;
let internalKey: string;
/** Tokens of calls, by the id in the path; the second id is none. */
const callIds = [randomUUID(), 'not an id!'] as const;
let callTokens: ReadonlyMap<string, string>;
let mediaServer: MediaServerKey;
/** The room of the one call that was really made. */
let room: string;
let before: unknown;

const refusal = async (path: string, sent: Sent = {}): Promise<Refusal> =>
  toRefusal(
    await send(`${platform.api}${path}`, { ...sent, headers: { ...account.headers, ...sent.headers } }),
  );
const post = (path: string, value: unknown): Promise<Refusal> =>
  refusal(path, { method: 'POST', headers: json, body: JSON.stringify(value) });
const read = async <T>(path: string): Promise<T> => {
  const { status, text } = await send(`${platform.api}${path}`, { headers: account.headers });
  expect(status).toBe(200);
  return (JSON.parse(text) as { data: T }).data; // as the contract declares it
};

const organizationOf = async (person: Account): Promise<string> => {
  const { text } = await send(`${platform.api}/auth/get-session`, { headers: { cookie: person.cookie } });
  const { session } = JSON.parse(text) as { session: { activeOrganizationId: string } }; // as better-auth answers
  return session.activeOrganizationId;
};

/** All that the interface shows of this organization, and all that the media server was ever asked to dial. */
const everything = async (): Promise<unknown> => ({
  agents: await read('/agents'),
  configuration: await read(`/agents/${agentId}/config`),
  outboundCalls: await read('/outbound-calls?limit=100'),
  calls: await read('/calls?limit=100'),
  live: await read('/calls/live'),
  ledger: await readFile(join(platform.dataDir, 'ledger.jsonl'), 'utf8'),
});

interface Call {
  readonly id: string;
  readonly callId: string | null;
  readonly roomName: string | null;
}
interface Log {
  readonly status: string;
  readonly analysisStatus: string;
}

/** One call that is really made, and over: what forged news would be about. */
const makeCall = async (): Promise<string> => {
  const body = JSON.stringify({ agentId, phoneNumber: '+14155550100', fromNumber });
  const sent = { method: 'POST', headers: { ...account.headers, ...json }, body };
  const placed = await send(`${platform.api}/outbound-calls/quick`, sent);
  expect(placed.status).toBe(201);
  const { id } = (JSON.parse(placed.text) as { data: Call }).data; // the contract's OutboundCall
  return eventually(
    async () => {
      const { callId, roomName } = await read<Call>(`/outbound-calls/${id}`);
      expect(await read<Log>(`/calls/${callId}`)).toMatchObject({ status: 'completed' });
      expect((await read<Log>(`/calls/${callId}`)).analysisStatus).not.toBe('pending');
      expect(await read<readonly Log[]>('/outbound-calls')).toMatchObject([{ status: 'completed' }]);
      expect(await read<readonly Log[]>('/calls')).toMatchObject([{ status: 'completed' }]);
      return String(roomName);
    },
    { timeoutMs: 60_000, intervalMs: 100 },
  );
};

/** What does not change any more: the same twice, a moment apart. */
const settled = (): Promise<unknown> => {
  let last: unknown;
  return eventually(
    async () => {
      const previous = last;
      last = await everything();
      expect(last).toEqual(previous);
      return last;
    },
    { timeoutMs: 60_000, intervalMs: 1_000 },
  );
};

beforeAll(async () => {
  platform = await runPlatform(generous);
  accounts = new Accounts(platform);
  account = await accounts.create('careful');
  agentId = await accounts.agent(account);
  fromNumber = await accounts.number(account);
  configuration = {
    ...(await accounts.catalogDefaults(account)),
    firstMessage: 'Good morning',
    systemPrompt: 'Be brief.',
  };
  const secrets = new DataFolder(platform.dataDir).secrets();
  internalKey = secrets.internalKey;
  const issuer = new CallTokens(new Secret(secrets.callerSigningKey));
  const tokenOf = async (callId: string) => {
    const organizationId = await organizationOf(account);
    return [callId, (await issuer.issue({ organizationId, agentId, callId }, 3_600)).token] as const;
  };
  callTokens = new Map(await Promise.all(callIds.map(tokenOf)));
  mediaServer = { key: secrets.liveKitApiKey, secret: secrets.liveKitApiSecret };
  room = await makeCall();
  before = await settled();
}, 240_000);

afterAll(() => platform?.remove(), 30_000);

/** What lets a request reach the look at its body. */
const credentialsFor = ({ auth }: Operation, callId: string = callIds[0]): Record<string, string> => {
  if (auth.kind === 'orgAdmin') return { cookie: account.cookie, origin: platform.url };
  if (auth.kind === 'internal') return { 'x-internal-key': internalKey };
  if (auth.kind === 'call') return { authorization: `Bearer ${callTokens.get(callId)}` };
  return auth.kind === 'org' ? account.headers : {};
};
const writing: readonly Operation[] = operations.filter(
  ({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH',
);
const ask = async (row: Operation, headers: Record<string, string>, body: Sent['body']): Promise<Refusal> => {
  const path = pathWith(row, { ...randomIds(), agentId, callId: callIds[0] });
  const sent = { method: row.method, headers: { ...credentialsFor(row), ...headers } };
  return toRefusal(await send(`${platform.api}${path}`, body === undefined ? sent : { ...sent, body }));
};

describe.each(writing.map((row) => [row.id, row] as const))('%s', (_, row) => {
  it.each(bodies)('refuses a body that is %s', async (_name, body, refused) => {
    expect(await ask(row, json, body)).toEqual(refused);
  });

  it.each(contentTypes)('does not read a body of type %s', async (type) => {
    const body = Buffer.from(JSON.stringify({ name: 'Front desk' }));
    const headers = type === undefined ? {} : { 'content-type': type };
    expect(await ask(row, headers, body)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('does not unpack a compressed body', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    expect(await ask(row, headers, '{}')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('refuses 2 MiB, unless that is what it is for', async () => {
    const body = JSON.stringify({ surely_unknown: 'x'.repeat(twoMebibytes) });
    const fits = (row.bodyLimitBytes ?? defaultLimit) > body.length;
    expect(await ask(row, json, body)).toEqual(fits ? [400, 'VALIDATION_ERROR'] : [413, 'PAYLOAD_TOO_LARGE']);
  });

  it('refuses a key that it does not know beside good ones', async () => {
    const sample = Object(row.auth.kind === 'org' ? (await sampleRequest(row, account, accounts)).body : {});
    const [status, code] = await ask(row, json, JSON.stringify({ ...sample, surely_unknown: 1 }));
    expect([status, ['VALIDATION_ERROR', 'CONFIG_GROUP_INCOMPLETE'].includes(code)]).toEqual([400, true]);
  });
});

describe('an address', () => {
  it.each(addresses)('%s is refused', async (path, refused) => {
    expect(await refusal(path)).toEqual(refused);
  });

  const withIds: readonly Operation[] = operations;
  it.each(withIds.flatMap((row) => (row.params === undefined ? [] : [[row.id, row, row.params] as const])))(
    'of %s takes no id that is not one',
    async (_id, row, { shape }) => {
      const path = pathWith(row, Object.fromEntries(Object.keys(shape).map((name) => [name, callIds[1]])));
      const sample =
        row.body && row.auth.kind === 'org' ? await sampleRequest(row, account, accounts) : undefined;
      const sent = {
        method: row.method,
        headers: { ...credentialsFor(row, callIds[1]), ...(sample ? json : {}) },
      };
      const body = sample && { body: JSON.stringify(sample.body) };
      const [status, code] = toRefusal(await send(`${platform.api}${path}`, { ...sent, ...body }));
      expect([status, ['VALIDATION_ERROR', 'INVALID_PHONE_NUMBER'].includes(code)]).toEqual([400, true]);
    },
  );
});

describe('an agent', () => {
  const good = { name: 'Front desk', isActive: true, templateId: null };
  it.each(agents)('with %s is not made', async (_, change, refused) => {
    expect(await post('/agents', { ...good, ...change })).toEqual(refused);
  });
  it.each(agents.filter(([, change]) => Object.values(change).every((value) => value !== undefined)))(
    'does not get %s',
    async (_, change, refused) => {
      const body = JSON.stringify(change);
      expect(await refusal(`/agents/${agentId}`, { method: 'PATCH', headers: json, body })).toEqual(refused);
    },
  );
});

describe('a configuration', () => {
  it.each(configurations)('with %s is not saved', async (_, change, refused) => {
    expect(await post(`/agents/${agentId}/config`, { ...configuration, ...change })).toEqual(refused);
  });
});

describe('a call', () => {
  it.each(calls)('%s is not placed', async (_, change, refused) => {
    const good = { agentId, phoneNumber: '+14155550100', fromNumber };
    expect(await post('/outbound-calls/quick', { ...good, ...change })).toEqual(refused);
  });

  it.each(['', 'x'.repeat(257), `${'ob_'}\u0000`, 5, null, ['room']])(
    'in a room called %j is not ended',
    async (roomName) => {
      expect(await post('/calls/live/end', { roomName })).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
  it('in a room of nobody is not ended', async () => {
    expect(await post('/calls/live/end', { roomName: '../ob_1' })).toEqual([404, 'LIVE_CALL_NOT_FOUND']);
  });
  it("in another organization's room is answered for as one in a room of nobody", async () => {
    const stranger = await accounts.create('stranger');
    const answerFor = async (roomName: string): Promise<Reply> => {
      const sent = { method: 'POST', headers: { ...stranger.headers, ...json } };
      const reply = await send(`${platform.api}/calls/live/end`, {
        ...sent,
        body: JSON.stringify({ roomName }),
      });
      return { ...reply, text: reply.text.replace(/"requestId":"[^"]+"/, '') };
    };
    const ofNobody = await answerFor(`ob_${randomUUID()}`);
    expect(ofNobody.status).toBe(404);
    expect(await answerFor(room)).toEqual(ofNobody);
  });
});

describe('a webhook of the media server', () => {
  const deliver = ({ body, authorization }: ReturnType<typeof genuine>): Promise<Reply> =>
    send(`${platform.url}/hooks/livekit`, {
      method: 'POST',
      headers: {
        'content-type': 'application/webhook+json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
    });

  it('is believed when it is genuine', async () => {
    expect((await deliver(genuine('room-of-nobody', mediaServer))).status).toBe(200);
  });
  it.each(Object.entries(forgeries))('with %s is not believed', async (_, forge) => {
    expect(toRefusal(await deliver(forge(room, mediaServer)))).toEqual([401, 'INVALID_SIGNATURE']);
  });
  it('is not believed in a thousand forgeries', async () => {
    const waiting = manyForgeries(1_000, room, mediaServer, randomInt).values();
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
    const body = JSON.stringify({ ...finishedCall(agentId), ...change });
    return toRefusal(
      await send(`${platform.api}/calls`, { method: 'POST', headers: { ...json, ...headers }, body }),
    );
  };
  const forged: readonly (readonly [string, () => Record<string, string>])[] = [
    ['no key', () => ({})],
    ['an empty key', () => ({ 'x-internal-key': '' })],
    ['a wrong key', () => ({ 'x-internal-key': 'wrong' })],
    ['most of the key', () => ({ 'x-internal-key': internalKey.slice(0, -1) })],
    ['the key twice', () => ({ 'x-internal-key': `${internalKey}, ${internalKey}` })],
    ['the key in another case', () => ({ 'x-internal-key': internalKey.toUpperCase() })],
    ['an API key', () => account.headers],
    ['an API key in its place', () => ({ 'x-internal-key': account.apiKey })],
    ['a session', () => ({ cookie: account.cookie, origin: platform.url })],
    ['the key as a bearer', () => ({ authorization: `Bearer ${internalKey}` })],
  ];

  it.each(forged)('take no call for %s', async (_, headers) => {
    expect(await ingest(headers())).toEqual([401, 'INVALID_INTERNAL_KEY']);
  });
  it.each(forged)('give no configuration away for %s', async (_, headers) => {
    const url = `${platform.api}/agents/internal-config/${agentId}`;
    expect(toRefusal(await send(url, { headers: headers() }))).toEqual([401, 'INVALID_INTERNAL_KEY']);
  });
  const taken = (change: object): Promise<Refusal> => ingest({ 'x-internal-key': internalKey }, change);

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
    const stranger = await accounts.create('agentless');
    const refused = async (change: object): Promise<unknown> => {
      const body = JSON.stringify({ ...finishedCall(agentId), ...change });
      const headers = { ...json, 'x-internal-key': internalKey };
      const { status, text } = await send(`${platform.api}/calls`, { method: 'POST', headers, body });
      const { error } = JSON.parse(text) as { error: { code: string; details: unknown } }; // the contract's ErrorBody
      return [status, error.code, error.details];
    };
    const unknown = (path: string) => [422, 'UNKNOWN_REFERENCE', { path }];
    expect(await refused({})).toEqual(unknown('body.organizationId'));
    const organizationId = await organizationOf(stranger);
    await accounts.agent(stranger);
    expect(await refused({ organizationId })).toEqual(unknown('body.agentId'));
    expect(await refused({ organizationId: await organizationOf(account), agentId: randomUUID() })).toEqual(
      unknown('body.agentId'),
    );
    expect(await read<readonly Log[]>('/calls')).toHaveLength(1);
  });
  it('take transcripts up to the documented limit', async () => {
    const own = () => ({ eventId: randomUUID(), callId: randomUUID() });
    expect(await taken({ ...own(), transcript: turns(20_000) })).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await taken({ ...own(), transcript: turns(10_001) })).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const talker = await accounts.create('talker');
    const organizationId = await organizationOf(talker);
    const call = { ...finishedCall(await accounts.agent(talker)), organizationId, ...own() };
    const body = JSON.stringify({ ...call, transcript: turns(10_000) });
    const headers = { ...json, 'x-internal-key': internalKey };
    expect((await send(`${platform.api}/calls`, { method: 'POST', headers, body })).status).toBe(201);
  });
});

describe('a cursor', () => {
  const page = async (
    person: Account,
    path: string,
  ): Promise<{ readonly reply: Reply; readonly cursor: string }> => {
    const reply = await send(`${platform.api}${path}`, { headers: person.headers });
    const { nextCursor = '' } = JSON.parse(reply.text) as { nextCursor?: string }; // the envelope
    return { reply, cursor: nextCursor };
  };

  it("that is tampered with, somebody else's, or of another question is refused", async () => {
    const owner = await accounts.create('owner');
    const organizationId = await organizationOf(owner);
    const callIds = [randomUUID(), randomUUID(), randomUUID()];
    for (const callId of callIds) {
      const change = { eventId: randomUUID(), callId, organizationId, transcript: turns(3) };
      const body = JSON.stringify({ ...finishedCall(await accounts.agent(owner)), ...change });
      const headers = { ...json, 'x-internal-key': internalKey };
      expect((await send(`${platform.api}/calls`, { method: 'POST', headers, body })).status).toBe(201);
    }
    const { cursor } = await eventually(async () => {
      const first = await page(owner, '/calls?limit=2');
      expect(first.cursor).not.toBe('');
      return first;
    });
    const ofTurns = await eventually(async () => {
      const first = await page(owner, `/calls/${callIds[0]}/transcripts?limit=2`);
      expect(first.cursor).not.toBe('');
      return first.cursor;
    });
    expect((await page(owner, `/calls?limit=2&cursor=${cursor}`)).reply.status).toBe(200);
    const refusedFor = async (person: Account, path: string): Promise<void> => {
      expect([path, toRefusal((await page(person, path)).reply)]).toEqual([path, [400, 'INVALID_CURSOR']]);
    };
    await refusedFor(account, `/calls?limit=2&cursor=${cursor}`);
    for (const filter of [
      'status=completed',
      'direction=inbound',
      `agentId=${agentId}`,
      'from=2026-01-01T00:00:00Z',
    ])
      await refusedFor(owner, `/calls?limit=2&${filter}&cursor=${cursor}`);
    await refusedFor(owner, `/calls?limit=2&cursor=${ofTurns}`);
    await refusedFor(owner, `/calls/${callIds[1]}/transcripts?limit=2&cursor=${ofTurns}`);
    await refusedFor(owner, `/outbound-calls?limit=2&cursor=${cursor}`);
    for (let place = 0; place < cursor.length - 1; place += 5) {
      const other = cursor[place] === 'A' ? 'B' : 'A';
      await refusedFor(
        owner,
        `/calls?limit=2&cursor=${cursor.slice(0, place)}${other}${cursor.slice(place + 1)}`,
      );
    }
    await refusedFor(owner, `/calls?limit=2&cursor=${cursor.slice(0, -4)}`);
  });
});

describe('after all that', () => {
  it('nothing was stored, nothing was changed, and no phone rang', async () => {
    expect(await everything()).toEqual(before);
    expect(await settled()).toEqual(before);
  });
});
