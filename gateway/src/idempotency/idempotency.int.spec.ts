import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { type Asked, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import type { Outcome } from '@parlance/rpc';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Person, type Reply, sampleAgent, TestGateway } from '../testing/test-gateway.js';

let engines: TestEngines;
let fixture: Fixture;
let gateway: TestGateway;
let key: string;
let db: Database;
let asked: Asked[];
let answer: (asked: Asked) => Outcome | Promise<Outcome>;

const costPerMinute = 15;
const agent = { name: 'Front desk', isActive: true, templateId: null };
const call = { agentId: sampleAgent.id, phoneNumber: '+14155550100', fromNumber: '+14155550199' };

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  fixture = await startFixture(engines, { RATE_LIMIT_COST_PER_MINUTE: String(costPerMinute) });
  ({ gateway } = fixture);
  ({ key } = await gateway.createKey(fixture.person));
  db = createDatabase({ url: fixture.postgresUrl, applicationName: 'test', max: 2 });
  ({ asked } = await serveOperation(fixture.nats, contract.agentsCreate, (one) => answer(one)));
});

beforeEach(() => {
  asked.length = 0;
  answer = () => ({ data: sampleAgent });
});

afterAll(async () => {
  await db?.end();
  await fixture?.stop();
});

const post = (
  idempotencyKey: string,
  {
    body = agent,
    at = gateway,
    apiKey = key,
    path = '/agents',
  }: { body?: unknown; at?: TestGateway; apiKey?: string; path?: string } = {},
): Promise<Reply> =>
  at.send(path, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'idempotency-key': idempotencyKey },
    body,
  });
const commandIds = (): (string | undefined)[] => asked.map(({ headers }) => headers?.get('x-command-id'));

describe('an Idempotency-Key', () => {
  it('makes a repetition answer the same without asking the service again', async () => {
    const id = randomUUID();
    const first = await post(id);
    const second = await post(id);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(asked).toHaveLength(1);
    expect(commandIds()[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('lets one of a hundred parallel requests through', async () => {
    answer = () => new Promise((resolve) => setTimeout(() => resolve({ data: sampleAgent }), 100));
    const id = randomUUID();
    const replies = await Promise.all(Array.from({ length: 100 }, () => post(id)));
    expect(asked).toHaveLength(1);
    const outcomes = replies.map(({ status, body, headers }) => {
      if (status === 409) expect(headers.get('retry-after')).toBe('1');
      return status === 409 ? body.error.code : status;
    });
    expect(new Set(outcomes)).toEqual(new Set([201, 'IDEMPOTENCY_IN_PROGRESS']));
    expect((await post(id)).status).toBe(201);
    expect(asked).toHaveLength(1);
  });

  it('belongs to one request, one operation and one organization', async () => {
    const id = randomUUID();
    await post(id);
    const other = await post(id, { body: { ...agent, name: 'Other' } });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await post(id, { body: { templateId: null, isActive: true, name: 'Front desk' } })).status).toBe(
      201,
    );
    expect(asked).toHaveLength(1);
    const stranger = await gateway.createKey(await gateway.signUp());
    await post(id, { apiKey: stranger.key });
    expect(asked).toHaveLength(2);
    await serveOperation(fixture.nats, contract.agentsPreviewSession, () => ({
      error: { code: 'AGENT_NOT_FOUND', message: '' },
    }));
    const elsewhere = await post(id, { path: `/agents/${sampleAgent.id}/preview-session`, body: {} });
    expect(elsewhere.body.error.code).toBe('AGENT_NOT_FOUND');
  });

  it.each(['', 'ключ', 'x'.repeat(256)])('is refused when it is %j', async (bad) => {
    const headers = { 'x-api-key': key, 'idempotency-key': encodeURI(bad) === bad ? bad : 'Ã©' };
    const reply = await gateway.send('/agents', { method: 'POST', headers, body: agent });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_INVALID']);
  });

  it('keeps a refusal of the service, and repeats it word by word', async () => {
    answer = () => ({ error: { code: 'TEMPLATE_NOT_FOUND', message: '' } });
    const id = randomUUID();
    const [first, second] = [await post(id), await post(id)];
    expect([first.status, second.status]).toEqual([404, 404]);
    expect(second.body).toEqual(first.body);
    expect(asked).toHaveLength(1);
  });

  it.each(['INTERNAL_ERROR', 'UPSTREAM_TIMEOUT', 'SERVICE_UNAVAILABLE', 'CONCURRENCY_LIMIT'] as const)(
    'does not keep %s: the next try asks again, under the same command id',
    async (code) => {
      answer = () => ({ error: { code, message: '' } });
      const id = randomUUID();
      expect((await post(id)).body.error.code).toBe(code);
      answer = () => ({ data: sampleAgent });
      expect((await post(id, { body: { ...agent, name: 'Other' } })).status).toBe(422);
      expect((await post(id)).status).toBe(201);
      const [first, second] = commandIds();
      expect(first).toBeDefined();
      expect(second).toBe(first);
    },
  );

  it('is free again after its owner died, and keeps its command id', async () => {
    answer = () => ({ error: { code: 'INTERNAL_ERROR', message: '' } });
    const id = randomUUID();
    await post(id);
    await db.query(
      `update idempotency_records set lease_until = now() + interval '1 minute' where key = $1`,
      [id],
    );
    answer = () => ({ data: sampleAgent });
    expect((await post(id)).body.error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    await db.query(
      `update idempotency_records set lease_until = now() - interval '1 second' where key = $1`,
      [id],
    );
    expect((await post(id)).status).toBe(201);
    expect(commandIds()[1]).toBe(commandIds()[0]);
  });

  it('means a new command after a day', async () => {
    const id = randomUUID();
    await post(id);
    await db.query(`update idempotency_records set expires_at = now() where key = $1`, [id]);
    expect((await post(id, { body: { ...agent, name: 'Other' } })).status).toBe(201);
    expect(new Set(commandIds()).size).toBe(2);
  });

  it('holds across gateways', async () => {
    const other = await TestGateway.start({ postgresUrl: fixture.postgresUrl, natsUrl: engines.natsUrl });
    try {
      const id = randomUUID();
      await post(id);
      expect((await post(id, { at: other })).headers.get('idempotent-replayed')).toBe('true');
      expect(asked).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it('makes a repetition free of the limit on what costs money', async () => {
    const placed = await serveOperation(fixture.nats, contract.outboundCallsQuick, () => ({
      error: { code: 'AGENT_NOT_FOUND', message: '' },
    }));
    const stranger = (await gateway.createKey(await gateway.signUp())).key;
    const quick = (id: string) => post(id, { path: '/outbound-calls/quick', body: call, apiKey: stranger });
    const id = randomUUID();
    for (let count = 0; count < costPerMinute + 5; count += 1) expect((await quick(id)).status).toBe(404);
    for (let count = 1; count < costPerMinute; count += 1)
      expect((await quick(randomUUID())).status).toBe(404);
    const refused = randomUUID();
    expect((await quick(refused)).status).toBe(429);
    expect((await quick(id)).status).toBe(404);
    expect(placed.asked).toHaveLength(costPerMinute);
    const { rows } = await db.query('select status from idempotency_records where key = $1', [refused]);
    expect(rows).toEqual([{ status: null }]);
  });

  it('keeps no answer in clear', async () => {
    const name = `Secretive ${randomUUID()}`;
    answer = () => ({ data: { ...sampleAgent, name } });
    const id = randomUUID();
    const [first, second] = [await post(id), await post(id)];
    expect(second.body).toEqual(first.body);
    expect(first.body.data.name).toBe(name);
    const { rows } = await db.query<{ row: string }>(
      'select r::text as row from idempotency_records r where key = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(name);
  });

  it('repeats an answer that the release before has kept', async () => {
    const id = randomUUID();
    const first = await post(id);
    await db.query(
      `update idempotency_records set status = 201, body = $2, sealed_status = null, sealed_body = null where key = $1`,
      [id, JSON.stringify(first.body)],
    );
    const second = await post(id);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(asked).toHaveLength(1);
  });

  it('looks unfinished to a gateway of the release before, which never takes it over', async () => {
    const id = randomUUID();
    await post(id);
    const { rows } = await db.query(
      'select status, body, lease_until = expires_at as "isKept" from idempotency_records where key = $1',
      [id],
    );
    expect(rows).toEqual([{ status: null, body: null, isKept: true }]);
  });

  it('is not needed', async () => {
    const reply = await gateway.send('/agents', {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: agent,
    });
    expect(reply.status).toBe(201);
    expect(commandIds()).toEqual(['']);
  });
});

describe('an Idempotency-Key under /auth', () => {
  const make = (path: string, idempotencyKey: string, body: unknown, person: Person = fixture.person) =>
    gateway.send(`/auth${path}`, {
      method: 'POST',
      headers: { ...person.session, 'idempotency-key': idempotencyKey },
      body,
    });
  const apiKey = { name: 'reporting', permissions: ['agent:read'] };
  const countKeys = async (name: string): Promise<number> =>
    (await db.query('select 1 from apikey where name = $1', [name])).rowCount;

  it('answers a repetition with the same API key, makes no second one, and stores neither in clear', async () => {
    const id = randomUUID();
    const name = `once ${id.slice(0, 8)}`;
    const first = await make('/api-key/create', id, { ...apiKey, name });
    const second = await make('/api-key/create', id, { ...apiKey, name });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await countKeys(name)).toBe(1);
    const { rows } = await db.query('select * from idempotency_records');
    const stored = JSON.stringify(rows);
    for (const secret of [first.body.key, first.body.key.slice(-43), id, name])
      expect(stored).not.toContain(secret);
    const works = await gateway.send('/agents', { headers: { 'x-api-key': second.body.key } });
    expect(works.status).not.toBe(401);
  });

  it('makes one API key of many parallel requests', async () => {
    const id = randomUUID();
    const name = `race ${id.slice(0, 8)}`;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => make('/api-key/create', id, { ...apiKey, name })),
    );
    const keys = new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body.key));
    expect([keys.size, await countKeys(name)]).toEqual([1, 1]);
  });

  /** Ends each try where its answer is recorded, as a gateway that dies there does, and then lets the claims run out. */
  const dyingAtTheRecord = async <T>(work: () => Promise<T>): Promise<T> => {
    await db.query(
      `create function die() returns trigger language plpgsql as $$ begin raise exception 'the end of the process'; end $$`,
    );
    await db.query(
      `create trigger die before update on idempotency_records for each row when (new.status is not null) execute function die()`,
    );
    try {
      return await work();
    } finally {
      await db.query('drop function die cascade');
      await db.query('update idempotency_records set lease_until = now() where status is null');
    }
  };

  it('makes one API key, although the gateway dies before it has recorded the answer', async () => {
    const id = randomUUID();
    const name = `late ${id.slice(0, 8)}`;
    await dyingAtTheRecord(() => make('/api-key/create', id, { ...apiKey, name }));
    const next = await make('/api-key/create', id, { ...apiKey, name });
    expect([next.status, await countKeys(name)]).toEqual([200, 1]);
    const works = await gateway.send('/agents', { headers: { 'x-api-key': next.body.key } });
    expect(works.status).not.toBe(401);
    expect((await make('/api-key/create', id, { ...apiKey, name })).body).toEqual(next.body);
  });

  it('rotates an API key once, although the gateway dies before it has recorded the answer', async () => {
    const name = `rotated ${randomUUID().slice(0, 8)}`;
    const previous = await make('/api-key/create', randomUUID(), { ...apiKey, name });
    const [id, body] = [randomUUID(), { keyId: previous.body.id }];
    await dyingAtTheRecord(() => make('/api-key/rotate', id, body));
    const next = await make('/api-key/rotate', id, body);
    expect([next.status, await countKeys(name)]).toEqual([200, 2]);
    expect((await make('/api-key/rotate', id, body)).body).toEqual(next.body);
  });

  it('is refused for another body, and means another request for another person', async () => {
    const id = randomUUID();
    const first = await make('/api-key/create', id, apiKey);
    const other = await make('/api-key/create', id, { ...apiKey, permissions: ['*'] });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const stranger = await make('/api-key/create', id, apiKey, await gateway.signUp());
    expect(stranger.status).toBe(200);
    expect(stranger.body.key).not.toBe(first.body.key);
  });

  it('makes one organization, though the session moves into it', async () => {
    const person = await gateway.signUp();
    const id = randomUUID();
    const body = { name: 'Second', slug: `s-${id}` };
    const first = await make('/organization/create', id, body, person);
    const second = await make('/organization/create', id, body, person);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    const { rowCount } = await db.query('select 1 from organization where slug = $1', [body.slug]);
    expect(rowCount).toBe(1);
  });

  it('makes one invitation', async () => {
    const id = randomUUID();
    const { organizationId } = fixture.person;
    const body = { organizationId, email: `${id}@example.com`, role: 'member', resend: true };
    const first = await make('/organization/invite-member', id, body);
    const second = await make('/organization/invite-member', id, body);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    const { rowCount } = await db.query('select 1 from invitation where email = $1', [body.email]);
    expect(rowCount).toBe(1);
  });

  it('repeats a refusal word by word', async () => {
    const person = await gateway.signUp();
    const taken = { name: 'Twin', slug: `s-${randomUUID()}` };
    await make('/organization/create', randomUUID(), taken, person);
    const id = randomUUID();
    const replies = [
      await make('/organization/create', id, taken, person),
      await make('/organization/create', id, taken, person),
    ];
    expect(replies.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'NAME_TAKEN'],
      [409, 'NAME_TAKEN'],
    ]);
    expect(replies[1]?.body).toEqual(replies[0]?.body);
  });
});
