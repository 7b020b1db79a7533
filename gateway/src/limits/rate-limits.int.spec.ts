import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type Data } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import type { Outcome } from '@parlance/rpc';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Person, type Reply, TestGateway } from '../testing/test-gateway.js';

let engines: TestEngines;
let fixture: Fixture;
let gateway: TestGateway;
let db: Database;

const limits = {
  RATE_LIMIT_READ_PER_MINUTE: '50',
  RATE_LIMIT_COST_PER_MINUTE: '8',
  RATE_LIMIT_AUTH_PER_MINUTE: '4',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '6',
  TRUST_PROXY_HOPS: '1',
  // off is for loopback alone, and a proxy stands in front
  EMAIL_VERIFICATION: 'required',
};

const notFound: Outcome = { error: new AppError('AGENT_NOT_FOUND').toWire() };
const nothingYet = {
  ...{ outcome: null, endedReason: null, error: null, answeredBy: null, username: null, provider: null },
  ...{ providerCallId: null, firstMessage: null, systemPrompt: null, sid: null, campaignId: null },
  ...{ rowNumber: null, nextAttemptAt: null, callId: null, roomName: null, scheduledAt: null },
  ...{ dialedAt: null, answeredAt: null, endedAt: null, durationSeconds: null, costMicros: null },
};
const at = '2026-01-01T00:00:00.000Z';
const placedCall: Data<typeof contract.outboundCallsQuick> = {
  ...nothingYet,
  id: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e48',
  mode: 'quick',
  status: 'queued',
  agentId: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47',
  fromNumber: '+14155550199',
  phoneNumber: '+14155550100',
  dynamicVariables: {},
  metadata: {},
  attempt: 1,
  retryable: false,
  ringingTimeoutSeconds: 30,
  ...{ queuedAt: at, createdAt: at, updatedAt: at },
};

/** The dialer's answer to a quick call. */
let dialled: Outcome = notFound;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  fixture = await startFixture(engines, limits);
  ({ gateway } = fixture);
  db = createDatabase({ url: fixture.postgresUrl, applicationName: 'test', max: 1 });
  await serveOperation(fixture.nats, contract.agentsList, () => ({ data: [] }));
  await serveOperation(fixture.nats, contract.outboundCallsQuick, () => dialled);
});

afterAll(async () => {
  await db?.end();
  await fixture?.stop();
});

const statuses = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const freshOwner = async (from: string): Promise<Person> => {
  // each organization from its own address, so that sign-ups do not meet the limits under test
  const headers = { 'x-forwarded-for': from };
  const person = await gateway.signUp({ headers });
  await db.query('update "user" set "emailVerified" = true where id = $1', [person.userId]);
  const { session } = await gateway.signIn(person);
  return { ...person, session };
};
const freshKey = async (from: string): Promise<string> =>
  (await gateway.createKey(await freshOwner(from))).key;
const list = (key: string): Promise<Reply> => gateway.send('/agents', { headers: { 'x-api-key': key } });
const quick = (key: string, at = gateway): Promise<Reply> =>
  at.send('/outbound-calls/quick', {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: {
      agentId: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47',
      phoneNumber: '+14155550100',
      fromNumber: '+14155550199',
    },
  });

describe('an operation that dials', () => {
  it('says how many calls the organization may have in progress, when it is answered and when it is refused', async () => {
    const key = await freshKey('203.0.113.77');
    const headersOf = ({ headers }: Reply) => [
      headers.get('x-concurrency-limit'),
      headers.get('x-concurrency-remaining'),
    ];
    try {
      dialled = { data: placedCall, concurrency: { limit: 10, remaining: 3 } };
      const placed = await quick(key);
      expect([placed.status, ...headersOf(placed)]).toEqual([201, '10', '3']);
      const details = { maxConcurrentCalls: 10 };
      dialled = { error: new AppError('CONCURRENCY_LIMIT', { details }).toWire() };
      const refused = await quick(key);
      expect([refused.status, ...headersOf(refused)]).toEqual([429, '10', '0']);
    } finally {
      dialled = notFound;
    }
    const other = await quick(key);
    expect([other.status, ...headersOf(other)]).toEqual([404, null, null]);
  });
});

describe('a bucket', () => {
  it('lets exactly its number through, says where one stands, and refuses the rest with the time to wait', async () => {
    const key = await freshKey('203.0.113.1');
    const first = await list(key);
    expect(first.headers.get('ratelimit-limit')).toBe('50');
    expect(first.headers.get('ratelimit-remaining')).toBe('49');
    const replies = await Promise.all(Array.from({ length: 99 }, () => list(key)));
    expect(statuses([first, ...replies])).toEqual({ 200: 50, 429: 50 });
    const refused = await list(key);
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('ratelimit-reset')).toBe(refused.headers.get('retry-after'));
  });

  it('is each organization and each kind of operation apart', async () => {
    const [busy, calm] = [await freshKey('203.0.113.2'), await freshKey('203.0.113.3')];
    await Promise.all(Array.from({ length: 60 }, () => list(busy)));
    expect((await list(busy)).status).toBe(429);
    expect((await list(calm)).status).toBe(200);
    expect((await quick(busy)).status).toBe(404);
  });

  it('for what costs money is counted by all gateways together', async () => {
    const other = await TestGateway.start({
      postgresUrl: fixture.postgresUrl,
      natsUrl: engines.natsUrl,
      variables: limits,
    });
    try {
      const key = await freshKey('203.0.113.4');
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => quick(key, index % 2 === 0 ? gateway : other)),
      );
      expect(statuses(replies)).toEqual({ 404: 8, 429: 12 });
    } finally {
      await other.stop();
    }
  });
});

describe('signing in', () => {
  const signIn = (email: string, from: string): Promise<Reply> =>
    gateway.send('/auth/sign-in/email', {
      method: 'POST',
      headers: { 'x-forwarded-for': from },
      body: { email, password: 'not the password' },
    });

  it('is limited per address and account', async () => {
    const replies: Reply[] = [];
    for (let count = 0; count < 5; count += 1) replies.push(await signIn('a@example.com', '198.51.100.1'));
    expect(statuses(replies)).toEqual({ 401: 4, 429: 1 });
    expect((await signIn('a@example.com', '198.51.100.2')).status).toBe(401);
  });

  it('is refused to an address that keeps guessing, whatever the account', async () => {
    const replies: Reply[] = [];
    for (let count = 0; count < 8; count += 1)
      replies.push(await signIn(`g${count}@example.com`, '198.51.100.3'));
    expect(statuses(replies)).toEqual({ 401: 6, 429: 2 });
  });
});

describe('wrong credentials', () => {
  it('are held up by address; valid ones from the same address are not', async () => {
    const key = await freshKey('203.0.113.5');
    const headers = { 'x-forwarded-for': '198.51.100.4' };
    const wrong = (): Promise<Reply> =>
      gateway.send('/agents', { headers: { ...headers, 'x-api-key': 'parl_live_x' } });
    const replies: Reply[] = [];
    for (let count = 0; count < 8; count += 1) replies.push(await wrong());
    expect(statuses(replies)).toEqual({ 401: 6, 429: 2 });
    expect(replies.map((reply) => reply.headers.get('ratelimit-limit'))).toEqual(replies.map(() => '6'));
    expect((await gateway.send('/agents', { headers: { ...headers, 'x-api-key': key } })).status).toBe(200);
    expect((await gateway.send('/agents', { headers })).status).toBe(401);
  });
});

describe('a request that is refused for its permission or its media type', () => {
  it('counts too; for want of a permission to the key alone, so that it takes nothing from others', async () => {
    const owner = await freshOwner('203.0.113.6');
    const [all, few] = [await gateway.createKey(owner), await gateway.createKey(owner, ['callLogs:read'])];
    const replies = await Promise.all(Array.from({ length: 52 }, () => list(few.key)));
    expect(statuses(replies)).toEqual({ 403: 50, 429: 2 });
    expect(replies.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(replies.map(() => '50'));
    expect((await list(all.key)).status).toBe(200);
    const unreadable = { headers: { 'x-api-key': all.key, accept: 'text/html' } };
    const refused = await gateway.send('/agents', unreadable);
    expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([406, '50']);
  });
});
