// The operations of people on messages to webhooks: the whole service on real engines, with a real receiver.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, EventEnvelope, liveEventsOf, type WebhookDelivery } from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import { eventually } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { sealHeader, signingSecretOf } from '@parlance/webhooks';
import { Webhook } from 'standardwebhooks';
import { type Received, Receiver } from '../../testing/webhook-world.js';
import { finishedCall, userOf, World } from '../../testing/world.js';
import { forgetDeliveries } from './forget.js';

const patient = { timeoutMs: 60_000 };

let world: World;
let db: Database;
let receiver: Receiver;
beforeAll(async () => {
  world = await World.start();
  db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await db?.end();
  await world?.stop();
});

const configured = (change: object = {}): NonNullable<typeof world.postCallWebhook> => ({
  url: `${receiver.url}/calls?key=in-the-address`,
  method: 'POST',
  headers: {},
  timeoutMs: 10_000,
  enabled: true,
  events: ['call.ended'],
  ...change,
});

let org: string;
beforeEach(async () => {
  receiver = await Receiver.start();
  org = randomUUID();
  world.postCallWebhook = configured();
});
afterEach(() => receiver.stop());

const deliveries = async (query: object = {}, of = org) =>
  world.request(contract.webhooksDeliveries, { query }, userOf(of));
const replay = async (deliveryId: string, body: object = {}, of = org): Promise<WebhookDelivery> =>
  await world.ask(contract.webhooksReplay, { params: { deliveryId }, body }, userOf(of));
const send = async (body: { agentId: string; url?: string }) =>
  await world.ask(contract.webhooksTest, { body }, userOf(org));
const refused = (code: string) => expect.objectContaining({ code });

/** A call that ended, once its message is in this state. */
const toldOf = async (status: WebhookDelivery['status'], change: object = {}) => {
  const call = finishedCall(org, change);
  await world.ingest(call);
  const [found] = await eventually(async () => {
    const { data } = await deliveries({ callId: call.callId, status });
    expect(data).toHaveLength(1);
    return data;
  }, patient);
  if (found === undefined) throw new Error('there is no message');
  return { call, found };
};

const verified = ({ headers, body }: Received): unknown =>
  new Webhook(signingSecretOf(world.env.WEBHOOK_SIGNING_KEY, org)).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });

/** The live events about messages to webhooks of a call, in order. */
const told = async (callId: string) => {
  const { rows } = await db.query<{ payload: unknown }>(
    `select payload from outbox where payload ->> 'organizationId' = $1 and subject like '%webhook-delivery%'
       and payload -> 'data' ->> 'callId' = $2 order by id`,
    [org, callId],
  );
  return rows
    .flatMap(({ payload }) => liveEventsOf(EventEnvelope.parse(payload)))
    .map(({ type, status, resource }) => [type, status, resource.id]);
};

describe('people who look at messages', () => {
  it('are told of each one that is due, was tried, is sent again, and was delivered', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const { call, found } = await toldOf('retrying');
    const about = (status: string) => ['webhook-delivery.changed', status, found.id];
    expect(await told(call.callId)).toEqual([about('pending'), about('retrying')]);
    receiver.answer = (response) => response.writeHead(204).end();
    await replay(found.id);
    await eventually(
      async () => expect((await deliveries({ status: 'delivered' })).data).toHaveLength(1),
      patient,
    );
    const all = ['pending', 'retrying', 'retrying', 'delivered'];
    expect(await told(call.callId)).toEqual(all.map(about));
  });
});

describe('the list of messages', () => {
  it('shows each try of a message, and of the address no more than its origin', async () => {
    receiver.answer = (response) => response.writeHead(500).end('the words of the receiver');
    const { call, found } = await toldOf('retrying');
    expect(found).toMatchObject({
      ...{ callId: call.callId, agentId: call.agentId, type: 'call.ended', origin: receiver.url },
      ...{ status: 'retrying', sequence: 1, receiverClosedAt: null },
      attempts: [{ statusCode: 500, problem: { code: 'status' } }],
      lastProblem: { code: 'status', text: 'The receiver answered with the status 500.' },
    });
    expect(Date.parse(found.nextAttemptAt ?? '')).toBeGreaterThan(Date.parse(found.createdAt));
    const text = JSON.stringify(found);
    expect(text).not.toContain('in-the-address');
    expect(text).not.toContain('the words of the receiver');
  });

  it('holds what a filter asks for, page by page, newest first, and nothing of another organization', async () => {
    const agentId = randomUUID();
    const delivered = [await toldOf('delivered', { agentId }), await toldOf('delivered', { agentId })];
    receiver.answer = (response) => response.writeHead(410).end();
    const failed = await toldOf('failed');
    const ids = delivered.map(({ found }) => found.id).reverse();
    const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id);
    expect(idsOf(await deliveries())).toEqual([failed.found.id, ...ids]);
    expect(idsOf(await deliveries({ agentId }))).toEqual(ids);
    expect(idsOf(await deliveries({ status: 'failed' }))).toEqual([failed.found.id]);
    const first = await deliveries({ limit: '1', agentId });
    const cursor = first.nextCursor ?? '';
    const second = await deliveries({ limit: '1', agentId, cursor });
    expect([idsOf(first), idsOf(second), second.nextCursor]).toEqual([
      ids.slice(0, 1),
      ids.slice(1),
      undefined,
    ]);
    await expect(deliveries({ cursor })).rejects.toEqual(refused('INVALID_CURSOR'));
    expect((await deliveries({}, randomUUID())).data).toEqual([]);
    const { receiverClosedAt, lastProblem } = failed.found;
    expect([receiverClosedAt === null, lastProblem?.code]).toEqual([false, 'status']);
  });

  it('forgets a settled message after thirty days, and the call still says that it was delivered', async () => {
    const { call, found } = await toldOf('delivered');
    receiver.answer = (response) => response.writeHead(500).end();
    const waiting = await toldOf('retrying');
    const after = (days: number) => new Date(Date.parse(found.createdAt) + days * 86_400_000);
    await forgetDeliveries(db, after(29));
    expect((await deliveries()).data).toHaveLength(2);
    await forgetDeliveries(db, after(31));
    expect((await deliveries()).data).toMatchObject([{ id: waiting.found.id }]);
    await expect(replay(found.id)).rejects.toEqual(refused('WEBHOOK_DELIVERY_NOT_FOUND'));
    expect((await world.get(org, call.callId)).webhookDelivery).toBe('delivered');
    const { rows } = await db.query('select attempts, target from webhook_deliveries where id = $1', [
      found.id,
    ]);
    expect(rows).toEqual([{ attempts: [], target: null }]);
  });
});

describe('a replay', () => {
  it('sends a delivered message once more, with its id and its words, signed anew', async () => {
    const { found } = await toldOf('delivered');
    const shown = await replay(found.id);
    expect(shown).toMatchObject({ id: found.id, status: 'retrying', tries: 1 });
    await eventually(() => expect(receiver.received).toHaveLength(2), patient);
    const [before, again] = receiver.received;
    expect(again?.body).toBe(before?.body);
    expect(again?.headers).toMatchObject({ 'webhook-id': found.id, 'x-webhook-attempt': '2' });
    for (const received of receiver.received) expect(verified(received)).toMatchObject({ id: found.id });
    await eventually(async () => {
      expect((await deliveries()).data).toMatchObject([{ status: 'delivered', tries: 2 }]);
    }, patient);
  });

  it('opens a closed address, and tries at once what waits for its next try', async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    const { found: failed } = await toldOf('failed');
    receiver.answer = (response) => response.writeHead(503).end();
    await replay(failed.id);
    await eventually(async () => {
      expect((await deliveries()).data).toMatchObject([{ status: 'retrying', tries: 2 }]);
    }, patient);
    receiver.answer = (response) => response.end();
    expect(await replay(failed.id)).toMatchObject({ receiverClosedAt: null });
    await eventually(async () => {
      expect((await deliveries()).data).toMatchObject([{ status: 'delivered' }]);
    }, patient);
  });

  it('goes to the webhook that the agent has now where that is asked for', async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    const { call, found } = await toldOf('failed');
    const moved = await Receiver.start();
    world.webhooksOfAgents.set(call.agentId, configured({ url: moved.url }));
    expect(await replay(found.id, { to: 'current' })).toMatchObject({ origin: moved.url });
    await eventually(() => expect(moved.ids()).toEqual([found.id]), patient);
    await moved.stop();
  });

  it('is made once for one request, however often the request comes', async () => {
    const { found } = await toldOf('delivered');
    const commandId = randomUUID();
    const request = { params: { deliveryId: found.id }, body: {} };
    const context = { caller: userOf(org), requestId: commandId, commandId };
    await world.rpc.call(contract.webhooksReplay, request, context);
    await eventually(() => expect(receiver.received).toHaveLength(2), patient);
    await eventually(async () => {
      expect((await deliveries()).data).toMatchObject([{ status: 'delivered' }]);
    }, patient);
    const repeated = await world.rpc.call(contract.webhooksReplay, request, context);
    expect(repeated.data).toMatchObject({ status: 'delivered', tries: 2 });
    expect(receiver.received).toHaveLength(2);
  });

  it('is refused for a message of others, of a deleted call, and where no webhook is left', async () => {
    const { call, found } = await toldOf('delivered');
    await expect(replay(randomUUID())).rejects.toEqual(refused('WEBHOOK_DELIVERY_NOT_FOUND'));
    await expect(replay(found.id, {}, randomUUID())).rejects.toEqual(refused('WEBHOOK_DELIVERY_NOT_FOUND'));
    world.webhooksOfAgents.set(call.agentId, null);
    await expect(replay(found.id, { to: 'current' })).rejects.toEqual(refused('WEBHOOK_NOT_CONFIGURED'));
    await world.request(contract.callsDelete, { params: { callId: call.callId } }, userOf(org));
    await expect(replay(found.id)).rejects.toEqual(refused('CALL_NOT_FOUND'));
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a test message', () => {
  const agentId = randomUUID();
  const secret = 'a-credential-of-the-receiver-4711';
  const sealed = () => {
    const keyring = new Keyring({ id: world.env.KEK_ID, key: world.env.KEK });
    const place = { kind: 'webhook', organizationId: org, ownerId: agentId, name: 'authorization' } as const;
    return sealHeader(keyring, { ...place, origin: new URL(receiver.url).origin }, secret);
  };

  it('is signed, has the headers and the body of the webhook, and tells what came back', async () => {
    world.postCallWebhook = configured({
      headers: { authorization: sealed() },
      body: { agent: '{{system.agentId}}' },
    });
    receiver.answer = (response, { headers }) =>
      response.writeHead(201).end(`you sent ${headers.authorization}${' and more'.repeat(1_000)}`);
    const result = await send({ agentId });
    expect(result).toMatchObject({ delivered: true, statusCode: 201, problem: null, origin: receiver.url });
    expect(result.answer).toHaveLength(1_024);
    expect(result.answer).toMatch(/^you sent ••• and more/);
    const [received] = receiver.received;
    expect(received?.headers.authorization).toBe(secret);
    expect(received && verified(received)).toEqual({
      ...{ id: result.messageId, type: 'webhook.test', organizationId: org },
      ...{ timestamp: expect.any(String), apiVersion: expect.any(String) },
      data: { agentId, custom: { agent: agentId } },
    });
  });

  it('to another address has the signature and none of the configured headers', async () => {
    world.postCallWebhook = configured({ headers: { authorization: sealed() }, body: { a: 'b' } });
    const other = await Receiver.start();
    expect(await send({ agentId, url: `${other.url}/other` })).toMatchObject({ delivered: true });
    const [received] = other.received;
    expect(received && verified(received)).toMatchObject({ type: 'webhook.test', data: { agentId } });
    expect(received?.headers.authorization).toBeUndefined();
    expect(received?.body).not.toContain('custom');
    expect(receiver.received).toHaveLength(0);
    await other.stop();
  });

  it.each([
    ['status', 500, '', 'The receiver answered with the status 500.'],
    ['redirect', 302, '', expect.stringContaining('redirect')],
  ])('that ends in %s says so', async (code, statusCode, answer, text) => {
    receiver.answer = (response) => response.writeHead(statusCode, { location: '/elsewhere' }).end();
    expect(await send({ agentId })).toMatchObject({
      ...{ delivered: false, statusCode, answer, problem: { code, text } },
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('that finds nobody, or an address that is not allowed, has a problem and no status', async () => {
    await receiver.stop();
    const nothing = { delivered: false, statusCode: null, answer: null };
    expect(await send({ agentId })).toMatchObject({ ...nothing, problem: { code: 'unreachable' } });
    const forbidden = await send({ agentId, url: 'http://169.254.169.254/latest' });
    expect(forbidden).toMatchObject({ ...nothing, problem: { code: 'url_not_allowed' } });
  });

  it('needs a webhook or an address', async () => {
    world.postCallWebhook = null;
    await expect(send({ agentId })).rejects.toEqual(refused('WEBHOOK_NOT_CONFIGURED'));
    expect(await send({ agentId, url: receiver.url })).toMatchObject({ delivered: true });
  });
});
