// Deliveries through real receivers. Time is moved, never waited for.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { eventually, sealedPlaces, stormSize } from '@parlance/fixtures';
import { signingSecretOf } from '@parlance/webhooks';
import { Webhook } from 'standardwebhooks';
import { sealing } from '../sealed-columns.js';
import { type Received, Receiver, signingKey, WebhookWorld } from '../testing/webhook-world.js';
import { deadWebhooks, replayWebhooks } from './dead-letters.js';
import { claimEndpoints } from './deliveries-repository.js';

let world: WebhookWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await WebhookWorld.start();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  receiver = await Receiver.start();
  world.time = new Date();
});
afterEach(() => receiver.stop());

/** On a machine with much else to do. */
const patient = { timeoutMs: 60_000 };
const minutes = 60_000;
const hours = 60 * minutes;

/** Verifies a message with the library, at the time of its arrival, as a receiver would. */
const isSigned = ({ headers, body }: Received): boolean => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const secret = signingSecretOf(signingKey, world.organizationId);
  return headers['webhook-signature'] === new Webhook(secret).sign(String(headers['webhook-id']), at, body);
};

/** Moves to the moment at which the webhook is due again. @returns the pause until then, in seconds */
const untilDue = async (id: string): Promise<number> => {
  const { next_attempt_at: next } = await world.row(id);
  if (next === null) throw new Error('it is not due again');
  const seconds = (next.getTime() - world.time.getTime()) / 1_000;
  world.time = next;
  return seconds;
};

describe('a webhook', () => {
  it('is delivered at once, with a signature that the library verifies', async () => {
    const id = await world.tell(receiver.url);
    await world.copy().sendDue();
    const [got] = receiver.received;
    expect(
      new Webhook(signingSecretOf(signingKey, world.organizationId)).verify(got?.body ?? '', {
        'webhook-id': String(got?.headers['webhook-id']),
        'webhook-timestamp': String(got?.headers['webhook-timestamp']),
        'webhook-signature': String(got?.headers['webhook-signature']),
      }),
    ).toMatchObject({ id, sequence: 1 });
    expect(got?.headers).toMatchObject({ 'webhook-id': id, 'x-webhook-attempt': '1' });
    // The target of a delivered message is not kept any longer.
    expect(await world.row(id)).toMatchObject({ status: 'delivered', tries: 1, target: null });
    expect(receiver.received).toHaveLength(1);
  });

  it('that fails seven times is tried on schedule, never sooner, under one id, until it is taken', async () => {
    receiver.answer = (response) => response.writeHead(receiver.received.length < 8 ? 500 : 204).end('no');
    const id = await world.tell(receiver.url);
    const copy = world.copy();
    await copy.sendDue();
    const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
    for (const [index, seconds] of schedule.entries()) {
      const pause = await untilDue(id);
      expect(Math.abs(pause - seconds)).toBeLessThanOrEqual(seconds * 0.2);
      world.later(-1);
      await copy.sendDue();
      expect(receiver.received).toHaveLength(index + 1);
      world.later(1);
      await copy.sendDue();
      expect(receiver.received).toHaveLength(index + 2);
    }
    expect(new Set(receiver.ids())).toEqual(new Set([id]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
    ]);
    expect(receiver.received.every(isSigned)).toBe(true);
    const { status, attempts } = await world.row(id);
    expect(status).toBe('delivered');
    expect(attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      ...Array.from({ length: 7 }, () => [500, 'status']),
      [204, null],
    ]);
    expect(JSON.stringify(attempts)).not.toContain('"no"');
  });

  it('that fails eight times is given up, is found among the dead, and can be sent again', async () => {
    receiver.answer = (response) => response.writeHead(400).end();
    const id = await world.tell(receiver.url);
    const copy = world.copy();
    await copy.sendDue();
    for (let tries = 1; tries < 8; tries += 1) {
      await untilDue(id);
      await copy.sendDue();
    }
    expect(await world.row(id)).toMatchObject({ status: 'dead', tries: 8, next_attempt_at: null });
    const { organizationId } = world;
    const [dead] = (await deadWebhooks(world.db, { organizationId })).filter((letter) => letter.id === id);
    expect(dead).toMatchObject({ id, organizationId, type: 'call.ended', origin: receiver.url });
    expect(dead?.attempts).toHaveLength(8);
    expect(await deadWebhooks(world.db, { organizationId: 'somebody-else' })).toEqual([]);

    receiver.answer = (response) => response.writeHead(receiver.received.length < 10 ? 503 : 200).end();
    expect(await replayWebhooks(world.db, { ids: [id], now: world.time })).toBe(1);
    await copy.sendDue();
    expect(await untilDue(id)).toBeCloseTo(5);
    await copy.sendDue();
    expect(await world.row(id)).toMatchObject({ status: 'delivered', tries: 10 });
    expect(new Set(receiver.ids())).toEqual(new Set([id]));
    expect(receiver.received.at(-1)?.headers['x-webhook-attempt']).toBe('10');
    expect(await replayWebhooks(world.db, { ids: [id], now: world.time })).toBe(0);
  });

  it.each<[string, number | null, (target: Receiver) => void]>([
    [
      'redirect',
      302,
      (to) => {
        to.answer = (response) => response.writeHead(302, { location: `${to.url}/elsewhere` }).end();
      },
    ],
    [
      'timeout',
      null,
      (to) => {
        to.answer = () => undefined;
      },
    ],
    [
      'unreachable',
      null,
      (to) => {
        to.answer = (_response, request) => request.socket.destroy();
      },
    ],
  ])('that ends in %s has failed, and nothing else is asked', async (error, statusCode, prepare) => {
    prepare(receiver);
    const id = await world.tell(receiver.url, { timeoutMs: 100 });
    await world.copy().sendDue();
    const { status, attempts } = await world.row(id);
    expect(status).toBe('retrying');
    expect(attempts).toMatchObject([{ error, statusCode }]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
  });

  it('is taken whatever the receiver says with its 200, and however much', async () => {
    receiver.answer = (response) => response.end('x'.repeat(5_000_000));
    const id = await world.tell(receiver.url);
    await world.copy().sendDue();
    expect(await world.row(id)).toMatchObject({ status: 'delivered' });
  });

  it('never goes to a private address, and says why with the code of a refused URL', async () => {
    const inside = await Receiver.start('127.0.0.2');
    const ids = [await world.tell(inside.url), await world.tell('https://169.254.169.254/latest')];
    await world.copy().sendDue();
    for (const id of ids)
      expect((await world.row(id)).attempts).toMatchObject([{ error: 'URL_NOT_ALLOWED' }]);
    expect(inside.connections).toBe(0);
    await inside.stop();
  });

  it('of a call that was deleted meanwhile is not sent', async () => {
    const copy = world.copy({ payloadOf: async () => undefined });
    const id = await world.tell(receiver.url);
    await copy.sendDue();
    expect(await world.row(id)).toMatchObject({ status: 'dead', attempts: [{ error: 'call_deleted' }] });
    expect(receiver.received).toEqual([]);
  });

  it('waits, without a try counted, while the call cannot be read', async () => {
    let away = true;
    const copy = world.copy({
      payloadOf: async (delivery, target) => {
        if (away) throw new AppError('SERVICE_UNAVAILABLE');
        return world.payloadOf(delivery, target);
      },
    });
    const id = await world.tell(receiver.url);
    await copy.sendDue();
    expect(await world.row(id)).toMatchObject({ status: 'pending', tries: 0, attempts: [] });
    away = false;
    world.later(5_000);
    await copy.sendDue();
    expect(await world.row(id)).toMatchObject({ status: 'delivered', tries: 1 });
  });

  it('counts its call’s webhooks, and is written down once', async () => {
    const callId = 'a-call';
    const first = await world.tell(receiver.url, { callId });
    expect((await world.row(first)).sequence).toBe(1);
    await expect(world.tell(receiver.url, { callId })).resolves.toBeDefined();
    const { rows } = await world.db.query('select id from webhook_deliveries where call_id = $1', [callId]);
    expect(rows).toEqual([{ id: first }]);
    await world.copy().sendDue();
  });
});

describe('a receiver', () => {
  it('that asks for an hour gets it, for everything that is meant for it', async () => {
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    const first = await world.tell(receiver.url);
    const copy = world.copy();
    await copy.sendDue();
    expect(await untilDue(first)).toBe(3_600);
    world.later(-hours);
    const second = await world.tell(receiver.url);
    world.later(hours - 1_000);
    await copy.sendDue();
    expect(receiver.ids()).toEqual([first]);
    receiver.answer = (response) => response.end();
    world.later(1_000);
    await copy.sendDue();
    expect(new Set(receiver.ids())).toEqual(new Set([first, second]));
    expect(await world.row(second)).toMatchObject({ status: 'delivered', tries: 1 });
  });

  it('that is gone leaves messages unsent, which people are told of once', async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    const ids: string[] = [];
    while (ids.length < 12) ids.push(await world.tell(receiver.url));
    const { rows: before } = await world.db.query<{ id: string }>(
      'select coalesce(max(id), 0) as id from outbox',
    );
    await world.copy().sendDue();
    for (const id of ids) expect(await world.row(id)).toMatchObject({ status: 'dead' });
    const { rows } = await world.db.query<{ told: { deliveryId: string | null; status: string } }>(
      `select payload -> 'data' as told from outbox where subject like '%webhook-delivery%' and id > $1`,
      [before[0]?.id],
    );
    const tried = receiver.ids();
    expect(tried.length).toBeLessThan(ids.length);
    expect(rows.map(({ told }) => [told.deliveryId, told.status]).sort()).toEqual(
      [...tried, null].map((id) => [id, 'failed']).sort(),
    );
  });

  it('that is gone gets nothing more, until a configuration is saved later', async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    const first = await world.tell(receiver.url);
    const copy = world.copy();
    await copy.sendDue();
    const second = await world.tell(receiver.url);
    world.later(24 * hours);
    await copy.sendDue();
    expect(await world.row(first)).toMatchObject({ status: 'dead', attempts: [{ statusCode: 410 }] });
    expect(await world.row(second)).toMatchObject({
      status: 'dead',
      attempts: [{ error: 'endpoint_disabled' }],
    });
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => response.end();
    const third = await world.tell(receiver.url, { configuredAt: world.time.toISOString() });
    await copy.sendDue();
    expect(await world.row(third)).toMatchObject({ status: 'delivered' });
    expect(receiver.ids()).toEqual([first, third]);
  });

  it('that is gone loses what waits for it, which can be sent again', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const waiting = await world.tell(receiver.url);
    const copy = world.copy();
    await copy.sendDue();
    receiver.answer = (response) => response.writeHead(410).end();
    await untilDue(waiting);
    const other = await world.tell(receiver.url);
    await copy.sendDue();
    const states = [await world.row(waiting), await world.row(other)];
    expect(states.map(({ status }) => status)).toEqual(['dead', 'dead']);
    receiver.answer = (response) => response.end();
    expect(await replayWebhooks(world.db, { ids: [waiting, other], now: world.time })).toBe(2);
    await copy.sendDue();
    expect(await world.row(other)).toMatchObject({ status: 'delivered' });
  });

  it('that fails for five days is switched off, until a configuration is saved later', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const copy = world.copy();
    await world.tell(receiver.url);
    await copy.sendDue();
    world.later(5 * 24 * hours - minutes);
    const late = await world.tell(receiver.url);
    await copy.sendDue();
    expect(await world.row(late)).toMatchObject({ status: 'retrying' });
    world.later(2 * minutes);
    await copy.sendDue();
    expect(await world.row(late)).toMatchObject({ status: 'dead' });
    const received = receiver.received.length;
    const after = await world.tell(receiver.url);
    await copy.sendDue();
    expect(await world.row(after)).toMatchObject({
      status: 'dead',
      attempts: [{ error: 'endpoint_disabled' }],
    });
    expect(receiver.received).toHaveLength(received);
    receiver.answer = (response) => response.end();
    world.later(minutes);
    const reopened = await world.tell(receiver.url, { configuredAt: world.time.toISOString() });
    await copy.sendDue();
    expect(await world.row(reopened)).toMatchObject({ status: 'delivered' });
  });

  it('that fails five times in a row is asked by one webhook at a time, and gets all when it is back', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const copy = world.copy();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await world.tell(receiver.url));
    await copy.sendDue();
    expect(receiver.received).toHaveLength(5);
    ids.push(await world.tell(receiver.url), await world.tell(receiver.url));
    await copy.sendDue();
    expect(receiver.received).toHaveLength(5);
    world.later(30_000);
    await copy.sendDue();
    expect(receiver.received).toHaveLength(6);
    receiver.answer = (response) => response.end();
    world.later(10 * minutes);
    await copy.sendDue();
    for (const id of ids) expect(await world.row(id)).toMatchObject({ status: 'delivered' });
  });
});

describe('a sender', () => {
  it('that dies between two tries loses nothing: another goes on under the same id', async () => {
    receiver.answer = (response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
    const id = await world.tell(receiver.url);
    await world.copy().sendDue();
    await untilDue(id);
    await world.copy().sendDue();
    expect(receiver.ids()).toEqual([id, id]);
    expect(await world.row(id)).toMatchObject({ status: 'delivered', tries: 2 });
  });

  it('that dies in the middle of a try is followed by another when its lease is over, not before', async () => {
    let answerFirst: () => void = () => undefined;
    receiver.answer = (response) => {
      if (receiver.received.length > 1) response.end();
      else answerFirst = () => response.end();
    };
    const id = await world.tell(receiver.url, { timeoutMs: 30_000 });
    const lost = world.copy().sendDue();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    world.later(59_000);
    await world.copy().sendDue();
    expect(receiver.received).toHaveLength(1);
    world.later(1_000);
    await world.copy().sendDue();
    expect(receiver.ids()).toEqual([id, id]);
    expect(await world.row(id)).toMatchObject({ status: 'delivered', tries: 1 });
    // The copy that was thought dead comes back, and changes nothing.
    answerFirst();
    await lost;
    expect(await world.row(id)).toMatchObject({ status: 'delivered', tries: 1 });
  });

  it('shares the work with its copies, and none is sent twice', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1) ids.push(await world.tell(`${receiver.url}/${count % 20}`));
    await Promise.all([world.copy().sendDue(), world.copy().sendDue(), world.copy().sendDue()]);
    expect([...receiver.ids()].sort()).toEqual([...ids].sort());
  });

  it('gives up what is on its way when it is stopped, and it is sent again', async () => {
    receiver.answer = () => undefined;
    const id = await world.tell(receiver.url, { timeoutMs: 30_000 });
    const copy = world.copy({ graceMs: 10 }).start();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await copy.stop();
    expect(await world.row(id)).toMatchObject({ status: 'pending', tries: 0 });
    receiver.answer = (response) => response.end();
    world.later(5_000);
    await world.copy().sendDue();
    expect(receiver.ids()).toEqual([id, id]);
  });

  it('serves 100 healthy receivers while one is dead, and while sixty are', async () => {
    const silent = await Receiver.start();
    silent.answer = (response) => response.writeHead(500).end();
    const copy = world.copy({ graceMs: 10, pollMs: 20 });
    // Sixty have failed before; from now on, none of them and no new one answers.
    for (let count = 0; count < 60; count += 1) await world.tell(`${silent.url}/${count}`);
    await copy.sendDue();
    silent.answer = () => undefined;
    world.later(10 * minutes);
    for (let count = 0; count < 20; count += 1) await world.tell(`${silent.url}/new`, { timeoutMs: 30_000 });
    const before = silent.received.length;
    copy.start();
    await eventually(() => expect(silent.received.length).toBeGreaterThanOrEqual(before + 16), patient);
    const ids: string[] = [];
    for (let count = 0; count < 100; count += 1) ids.push(await world.tell(`${receiver.url}/${count}`));
    // While not a single one of the dead has come to its end.
    await eventually(() => expect([...receiver.ids()].sort()).toEqual([...ids].sort()), patient);
    const { rows } = await world.db.query<{ waiting: number }>(
      `select count(*)::int as waiting from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
       where e.origin = $1 and d.status = 'pending' and d.tries = 0`,
      [silent.url],
    );
    expect(rows[0]?.waiting).toBe(20);
    await copy.stop();
    await silent.stop();
  });
});

describe('an organization with slow receivers', () => {
  /** Receivers that take their requests and answer none until they are told to. */
  const blockedReceivers = async () => {
    const slow = await Receiver.start();
    const waiting: (() => void)[] = [];
    slow.answer = (response) => void waiting.push(() => response.end());
    const release = () => {
      for (const answer of waiting.splice(0)) answer();
    };
    return { slow, release };
  };

  it('has a quarter of the slots, and the deliveries of another organization are claimed at once', async () => {
    const { slow, release } = await blockedReceivers();
    const [greedy, other] = [randomUUID(), randomUUID()];
    for (let count = 0; count < 50; count += 1)
      await world.tell(`${slow.url}/${count}`, { organizationId: greedy, timeoutMs: 30_000 });
    const copy = world.copy({ graceMs: 10, pollMs: 20 }).start();
    await eventually(() => expect(slow.received).toHaveLength(12), patient);
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1)
      ids.push(await world.tell(`${receiver.url}/${count}`, { organizationId: other }));
    await eventually(() => expect([...receiver.ids()].sort()).toEqual([...ids].sort()), patient);
    expect(slow.received).toHaveLength(12);
    slow.answer = (response) => response.end();
    release();
    await eventually(() => expect(new Set(slow.ids()).size).toBe(50), patient);
    await copy.stop();
    await slow.stop();
  });

  it('takes turns with the organizations that wait: none is served twice before each was served once', async () => {
    const [greedy, ...others] = Array.from({ length: 4 }, () => randomUUID());
    for (let count = 0; count < 40; count += 1)
      await world.tell(`${receiver.url}/greedy/${count}`, { organizationId: greedy ?? '' });
    for (const organizationId of others)
      await world.tell(`${receiver.url}/${organizationId}`, { organizationId });
    const claim = () =>
      claimEndpoints(world.db, {
        now: world.time,
        leaseId: randomUUID(),
        leaseUntil: new Date(world.time.getTime() + minutes),
        lane: 'prompt',
        limit: 2,
        share: 12,
        holders: [],
      });
    const first = [...(await claim()), ...(await claim())].map(({ organizationId }) => organizationId);
    expect(new Set(first)).toEqual(new Set([greedy, ...others]));
    world.later(2 * minutes);
    await world.copy().sendDue();
  });

  it('waits in a lane of slow endpoints once a round took more than five seconds', async () => {
    const organizationId = randomUUID();
    const id = await world.tell(`${receiver.url}/slow`, { organizationId });
    await world.copy().sendDue();
    expect(receiver.ids()).toEqual([id]);
    await world.db.query('update webhook_endpoints set last_round_ms = 5001 where organization_id = $1', [
      organizationId,
    ]);
    await world.tell(`${receiver.url}/slow`, { organizationId });
    const claimed = async (lane: 'prompt' | 'slow') =>
      (
        await claimEndpoints(world.db, {
          now: world.time,
          leaseId: randomUUID(),
          leaseUntil: new Date(world.time.getTime() + minutes),
          lane,
          limit: 48,
          share: 12,
          holders: [],
        })
      ).filter((endpoint) => endpoint.organizationId === organizationId).length;
    expect([await claimed('prompt'), await claimed('slow')]).toEqual([0, 1]);
    world.later(2 * minutes);
    await world.copy().sendDue();
    const { rows } = await world.db.query<{ last_round_ms: number }>(
      'select last_round_ms from webhook_endpoints where organization_id = $1',
      [organizationId],
    );
    expect(rows[0]?.last_round_ms).toBeLessThan(5_000);
  });
});

/** Seconds after which the receivers of one organization answer; 0 leaves the measurement out. */
const slowSeconds = stormSize('PARLANCE_TEST_SLOW_RECEIVERS', 0);

(slowSeconds > 0 ? it : it.skip)(
  'measures the deliveries of an organization beside another with 50 slow receivers and replays without end',
  async () => {
    const slow = await Receiver.start();
    slow.answer = (response) => void setTimeout(() => response.end(), slowSeconds * 1_000);
    const [greedy, other] = [randomUUID(), randomUUID()];
    const copy = world.copy({ graceMs: 10, clock: { now: () => new Date() } }).start();
    const arrivedAt = new Map<string, number>();
    receiver.answer = (response) => {
      arrivedAt.set(String(receiver.ids().at(-1)), performance.now());
      response.end();
    };
    const toldAt = new Map<string, number>();
    const end = Date.now() + 2.5 * slowSeconds * 1_000;
    while (Date.now() < end) {
      for (let count = 0; count < 50; count += 1) {
        world.time = new Date();
        await world.tell(`${slow.url}/${count}`, { organizationId: greedy, timeoutMs: 30_000 });
      }
      const told = performance.now();
      toldAt.set(await world.tell(`${receiver.url}/other`, { organizationId: other }), told);
      await pause(200);
    }
    await eventually(() => expect(arrivedAt.size).toBe(toldAt.size), patient);
    const waits = [...toldAt]
      .map(([id, told]) => (arrivedAt.get(id) ?? Infinity) - told)
      .sort((a, b) => a - b);
    const at = (share: number): string =>
      `${Math.round(waits[Math.floor(share * (waits.length - 1))] ?? 0)} ms`;
    process.stdout.write(
      `slow receivers: ${slow.received.length} requests; other organization: ${waits.length} deliveries, p50 ${at(0.5)}, p99 ${at(0.99)}\n`,
    );
    await copy.stop();
    await slow.stop();
  },
  600_000,
);

// Of all that the tests above have stored.
it('lists every column where the service seals values, and opens all of them', async () => {
  const found = await sealedPlaces(world.db, sealing.sealedColumns, world.keyring);
  expect(found).toEqual({
    sealed: expect.arrayContaining(['webhook_deliveries.target']),
    unlisted: [],
    unopened: [],
  });
});
