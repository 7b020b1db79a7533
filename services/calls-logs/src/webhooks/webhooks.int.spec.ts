// The way of a message, from a handed-over call to its receiver: the whole service, as a process, on real engines.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, events } from '@parlance/contracts';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { signingSecretOf } from '@parlance/webhooks';
import { Webhook } from 'standardwebhooks';
import { Receiver } from '../testing/webhook-world.js';
import { finishedCall, userOf, World } from '../testing/world.js';
import { runWebhookCommand } from './commands.js';

let world: World;
const patient = { timeoutMs: 60_000 };
/** A process answers a while after it was started. */
const answers = () => eventually(() => world.list(randomUUID()), patient);

let db: Database;
let receiver: Receiver;
beforeAll(async () => {
  world = await World.start({ asProcess: true });
  db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test', max: 1 });
  receiver = await Receiver.start();
  await answers();
});
afterAll(async () => {
  await db?.end();
  await world?.stop();
  await receiver?.stop();
});

const configured = (change: object = {}): typeof world.postCallWebhook => ({
  url: `${receiver.url}/calls`,
  method: 'POST',
  headers: {},
  timeoutMs: 10_000,
  enabled: true,
  events: ['call.ended', 'call.analyzed', 'call.failed'],
  ...change,
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = (response) => response.end();
  world.postCallWebhook = configured();
});

/** The messages about a call, in order of their events; each with a signature that the library verifies. */
const toldOf = (organizationId: string, callId: string) =>
  receiver.received
    .map(({ headers, body }) => {
      const secret = signingSecretOf(world.env.WEBHOOK_SIGNING_KEY, organizationId);
      const verified = new Webhook(secret).verify(body, {
        'webhook-id': String(headers['webhook-id']),
        'webhook-timestamp': String(headers['webhook-timestamp']),
        'webhook-signature': String(headers['webhook-signature']),
      });
      return { ...(verified as Told), webhookId: headers['webhook-id'] };
    })
    .filter(({ data }) => data.call.id === callId)
    .sort((a, b) => a.sequence - b.sequence);

interface Told {
  readonly type: string;
  readonly id: string;
  readonly sequence: number;
  readonly organizationId: string;
  readonly data: {
    readonly call: { readonly id: string; readonly status: string; readonly webhookDelivery: string };
    readonly transcript?: readonly { readonly text: string }[];
    readonly custom?: unknown;
  };
}

const deliveryOf = (org: string, callId: string) => async () =>
  (await world.get(org, callId)).webhookDelivery;

describe('a call that is handed over', () => {
  it('is told of once when it ended and once with what was found out, and shows that it was', async () => {
    world.postCallWebhook = configured({
      body: { who: '{{name}}', from: '{{system.callerNumber}}', seconds: '{{system.callDurationSeconds}}' },
    });
    const org = randomUUID();
    const call = finishedCall(org, { dynamicVariables: { name: 'Ada' } });
    await world.ingest(call);
    await world.ingest(call);
    await eventually(() => expect(toldOf(org, call.callId)).toHaveLength(2), patient);
    const told = toldOf(org, call.callId);
    expect(told.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['call.ended', 1],
      ['call.analyzed', 2],
    ]);
    const [ended, analyzed] = told;
    expect(ended).toMatchObject({ apiVersion: '2026-07', organizationId: org, id: ended?.webhookId });
    expect(ended?.data.call).toMatchObject({ status: 'completed', webhookDelivery: 'pending' });
    expect(ended?.data).not.toHaveProperty('transcript');
    expect(analyzed?.data.call).toMatchObject({ summary: 'They talked.', messageCount: 3 });
    expect(analyzed?.data.transcript?.map(({ text }) => text)).toEqual(['line 0', 'line 1', 'line 2']);
    expect(analyzed?.data.custom).toEqual({ who: 'Ada', from: '+14155550177', seconds: '60' });
    await eventually(async () => {
      expect(await world.list(org)).toMatchObject([{ id: call.callId, webhookDelivery: 'delivered' }]);
    });
  });

  it('is told of as failed when it failed, and as started where that is asked for', async () => {
    world.postCallWebhook = configured({ events: ['call.started', 'call.failed', 'call.ended'] });
    const org = randomUUID();
    const change = { status: 'failed', endedReason: 'sip_error', answeredAt: null, durationSeconds: 0 };
    const call = finishedCall(org, { ...change, answeredBy: null, transcript: [] });
    await world.ingest(call);
    const types = () => toldOf(org, call.callId).map(({ type, data }) => [type, data.call.status]);
    const both = [
      ['call.started', 'ringing'],
      ['call.failed', 'failed'],
    ];
    // The first message may arrive before the second one is recorded.
    await eventually(() => expect(types()).toEqual(both), patient);
    await eventually(async () => expect(await deliveryOf(org, call.callId)()).toBe('delivered'), patient);
  });

  it('is told of to nobody where nobody is configured, or the webhook is switched off', async () => {
    for (const webhook of [null, configured({ enabled: false })]) {
      const [org, after] = [randomUUID(), randomUUID()];
      const call = finishedCall(org);
      world.webhooksOfAgents.set(call.agentId, webhook);
      await world.ingest(call);
      // Calls are seen in order. A receiver that got a message of the later call would have got one of this call
      // before.
      const later = finishedCall(after);
      await world.ingest(later);
      await eventually(() => expect(toldOf(after, later.callId)).toHaveLength(2), patient);
      expect(await deliveryOf(org, call.callId)()).toBe('none');
      expect(receiver.received).toHaveLength(2);
      receiver.received.length = 0;
    }
  });

  it('is told of although the service is killed between two tries, and nothing before is told again', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const org = randomUUID();
    const [call, deleted] = [finishedCall(org), finishedCall(org)];
    await world.ingest(call);
    await world.ingest(deleted);
    const tried = async (callId: string): Promise<string[]> => {
      const { rows } = await db.query<{ id: string }>(
        'select id from webhook_deliveries where call_id = $1 and tries > 0',
        [callId],
      );
      return rows.map(({ id }) => id);
    };
    await eventually(async () => {
      expect(await tried(call.callId)).toHaveLength(2);
      expect(await tried(deleted.callId)).toHaveLength(2);
    }, patient);
    expect(await deliveryOf(org, call.callId)()).toBe('pending');
    await world.request(contract.callsDelete, { params: { callId: deleted.callId } }, userOf(org));
    receiver.answer = (response) => response.end();
    const before = new Set(await tried(call.callId));
    receiver.received.length = 0;
    await world.crash();
    await answers();
    await eventually(async () => expect(await deliveryOf(org, call.callId)()).toBe('delivered'), patient);
    expect(new Set(receiver.ids())).toEqual(before);
    expect(receiver.received.every(({ headers }) => Number(headers['x-webhook-attempt']) > 1)).toBe(true);
    // A call that was deleted meanwhile is told of no more.
    await eventually(async () => {
      const { rows } = await db.query(
        `select 1 from webhook_deliveries where call_id = $1 and attempts @> '[{"error":"call_deleted"}]'`,
        [deleted.callId],
      );
      expect(rows).toHaveLength(2);
    }, patient);
    expect(new Set(receiver.ids())).toEqual(before);
  });

  it('shows what became of the initiation webhook of its agent', async () => {
    const org = randomUUID();
    const call = finishedCall(org);
    const result = {
      ...{ outcome: 'failed' as const, at: '2026-03-01T10:00:00.000Z', durationMs: 3_000 },
      ...{ statusCode: null, error: 'timeout', ignored: [] },
    };
    const data = { agentId: call.agentId, callId: call.callId, result };
    await world.announce(events.initiationFinished, org, data);
    // A report of another organization about the call changes nothing.
    await world.announce(events.initiationFinished, randomUUID(), {
      ...data,
      result: { ...result, at: '2026-03-01T11:00:00.000Z', outcome: 'applied' },
    });
    await world.ingest(call);
    await eventually(async () => {
      expect((await world.get(org, call.callId)).initiation).toEqual(result);
    }, patient);
    expect((await world.get(org, call.callId)).initiation).toEqual(result);
  });
});

describe('an operator', () => {
  const run = async (...args: string[]) => {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    const variables = {
      POSTGRES_URL: world.env.POSTGRES_URL.reveal(),
      WEBHOOK_SIGNING_KEY: world.env.WEBHOOK_SIGNING_KEY.reveal(),
    };
    const status = await runWebhookCommand({ args, variables, output: { write }, errors: { write } });
    return { status, text: written.join('') };
  };

  it('lists what was given up, sends it again, and reads an organization’s secret', async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    const org = randomUUID();
    const call = finishedCall(org);
    await world.ingest(call);
    await eventually(async () => expect(await deliveryOf(org, call.callId)()).toBe('failed'), patient);
    await eventually(async () => {
      expect((await run('webhooks', 'dead', org)).text.trim().split('\n')).toHaveLength(2);
    }, patient);
    const dead = (await run('webhooks', 'dead', org)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(dead).toMatchObject([{ callId: call.callId, origin: receiver.url }, { callId: call.callId }]);
    receiver.answer = (response) => response.end();
    const replayed = await run('webhooks', 'replay', ...dead.map(({ id }) => String(id)));
    expect(replayed).toEqual({ status: 0, text: '2 webhooks are sent again\n' });
    await eventually(async () => expect(await deliveryOf(org, call.callId)()).toBe('delivered'), patient);
    expect((await run('webhooks', 'secret', org)).text).toBe(
      `${signingSecretOf(world.env.WEBHOOK_SIGNING_KEY, org)}\n`,
    );
  });

  it('is told how when it is called wrongly', async () => {
    for (const args of [[], ['all'], ['replay'], ['replay', 'x'], ['secret'], ['dead', 'a', 'b']])
      expect(await run('webhooks', ...args)).toMatchObject({
        status: 2,
        text: expect.stringContaining('replay'),
      });
    expect((await run('rebuild')).status).toBeUndefined();
  });
});

describe('an organization that was removed', () => {
  it('has nothing sent any more, though it was removed while the service was down, and nothing of a person in its events', async () => {
    receiver.answer = (response) => {
      response.statusCode = 503;
      response.end();
    };
    const [gone, other] = [randomUUID(), randomUUID()];
    const call = finishedCall(gone);
    await world.ingest(call);
    await world.ingest(finishedCall(other));
    const waiting = async (organizationId: string) =>
      (
        await db.query(
          `select 1 from webhook_deliveries where organization_id = $1 and status in ('pending', 'retrying', 'dead')`,
          [organizationId],
        )
      ).rowCount;
    const opened = () =>
      db.query('select 1 from webhook_endpoints where organization_id = $1 and next_due_at is not null', [
        gone,
      ]);
    await eventually(
      async () => expect([await waiting(gone), await waiting(other)]).toEqual([2, 2]),
      patient,
    );
    await world.restart(async () => void (await tellRemoval(world.nats, gone)));
    await eventually(async () => expect(await waiting(gone)).toBe(0), patient);
    await eventually(async () => expect((await opened()).rowCount).toBe(0), patient);
    expect(await waiting(other)).toBe(2);
    receiver.received.length = 0;
    // A call that was in progress is handed over late.
    const late = finishedCall(gone);
    // The process follows events before it takes requests.
    await answers();
    await expect(world.ingest(late)).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    const next = finishedCall(other);
    await world.ingest(next);
    await eventually(async () => expect(await waiting(other)).toBe(4), patient);
    expect(await waiting(gone)).toBe(0);
    expect(receiver.received.map(({ body }) => JSON.parse(body).organizationId)).not.toContain(gone);
    await eventually(
      async () =>
        expect(await world.get(gone, call.callId)).toMatchObject({
          status: 'completed',
          fromNumber: null,
          summary: null,
        }),
      patient,
    );
  });
});
