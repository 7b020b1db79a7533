import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defineEvent, eventSubject, type IntegrationEvent, makeEvent } from '@parlance/contracts';
import { type Nats, startNats } from '@parlance/engines';
import { AppError } from '@parlance/errors';
import { eventually, gate, type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger, currentContext, type RunningPart } from '@parlance/observability';
import { connectNats } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { z } from 'zod';
import {
  addToOutbox,
  type ConsumedEvent,
  type Consumer,
  createDatabase,
  type Database,
  ensureEventStream,
  eventStreamName,
  migrate,
  startConsumer,
  startOutboxRelay,
  type Tx,
} from './index.js';

const lit = defineEvent({ name: 'lamps.lamp.lit', version: 1, data: z.object({ n: z.int() }) });
const litNow = defineEvent({
  name: 'lamps.lamp.lit',
  version: 2,
  data: z.object({ n: z.int(), lumen: z.int() }),
});
const broken = defineEvent({ name: 'lamps.lamp.broken', version: 1, data: z.object({ n: z.int() }) });

const directory = mkdtempSync(join(tmpdir(), 'parlance-test-'));
const natsDir = join(directory, 'nats');
const logger = createLogger({ service: 'test', level: 'silent' });
const parts: RunningPart[] = [];
let engines: TestEngines;
let server: Nats;
let nats: NatsConnection;
let producer: Database;
let consumer: Database;

const startBroker = (port?: number): Promise<Nats> =>
  startNats({
    dataDir: natsDir,
    logFile: `${natsDir}.log`,
    cacheDir: join(process.cwd(), 'node_modules', '.cache', 'parlance'),
    token: 'test-token',
    ...(port === undefined ? {} : { port }),
  });

/** As if the machine of the broker had burnt down: it starts again, and everything it held is gone. */
const loseBroker = async (): Promise<void> => {
  await server.stop();
  rmSync(join(natsDir, 'jetstream'), { recursive: true, force: true });
  server = await startBroker(server.port);
};

const newDatabase = async (service: string): Promise<Database> => {
  const { url } = await engines.databaseFor(service);
  const db = createDatabase({ url, applicationName: service, max: 4 });
  const empty = pathToFileURL(`${mkdtempSync(join(directory, 'migrations-'))}/`);
  await migrate(db, { directory: empty, framework: true });
  await db.query('create table effects (event_id uuid not null, n int not null)');
  return db;
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  server = await startBroker();
  nats = await connectNats({ url: server.url, name: 'test' });
  [producer, consumer] = [await newDatabase('producer'), await newDatabase('consumer')];
});
afterEach(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
  const manager = await nats.jetstreamManager();
  await manager.streams.purge(eventStreamName);
  await consumer.query('delete from parked_messages');
  await producer.query('delete from outbox');
});
afterAll(async () => {
  await Promise.all([producer.end(), consumer.end()]);
  await nats.close();
  await server.stop();
  await engines.stop();
  rmSync(directory, { recursive: true, force: true });
});

const relay = (): void => {
  parts.push(startOutboxRelay({ db: producer, nats, logger }));
};
type Handle = (tx: Tx, event: ConsumedEvent<typeof lit | typeof broken>) => Promise<void>;
const record: Handle = async (tx, event) => {
  await tx.query('insert into effects (event_id, n) values ($1, $2)', [event.id, event.data.n]);
};
const shortPauses = [10, 10, 10, 10];
const consume = (durable: string, handle: Handle = record, backoffMs = shortPauses): Consumer => {
  const started = startConsumer({
    nats,
    db: consumer,
    logger,
    durable,
    events: [lit, broken],
    handle,
    backoffMs,
  });
  parts.push(started);
  return started;
};
const newEvent = (n: number, id = randomUUID()) =>
  makeEvent(lit, { id, organizationId: 'o1', occurredAt: new Date().toISOString(), data: { n } });
const publish = async (event: IntegrationEvent): Promise<void> => {
  await ensureEventStream(nats);
  await nats.jetstream().publish(eventSubject(event), JSON.stringify(event), { msgID: event.id });
};
const announce = (n: number): Promise<void> => producer.transaction((tx) => addToOutbox(tx, newEvent(n)));
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
const effects = async (): Promise<number[]> => {
  const { rows } = await consumer.query<{ n: number }>('select n from effects order by n');
  return rows.map(({ n }) => n);
};
const effectsAre = (expected: readonly number[], timeoutMs = 60_000): Promise<void> =>
  eventually(async () => expect((await effects()).filter((n) => expected.includes(n))).toEqual(expected), {
    timeoutMs,
  });
/** Messages that the broker has given to copies of a consumer, and that are neither settled nor given back. */
const unsettled = async (durable: string): Promise<number> => {
  const manager = await nats.jetstreamManager();
  const { num_ack_pending } = await manager.consumers.info(eventStreamName, `${durable}_lamps_lamp_lit`);
  return num_ack_pending;
};
const parkedBy = async (durable: string): Promise<number> =>
  (await consumer.query('select 1 from parked_messages where consumer = $1', [durable])).rowCount;
const unsent = async (): Promise<number> =>
  (await producer.query('select 1 from outbox where sent_at is null')).rowCount;

describe('an event in the outbox', () => {
  it('arrives within a moment of the commit, with its context, and not when the change was rolled back', async () => {
    relay();
    const contexts: unknown[] = [];
    consume('basic', async (tx, event) => {
      contexts.push(currentContext());
      await record(tx, event);
    });
    await producer
      .transaction(async (tx) => {
        await addToOutbox(tx, newEvent(1));
        throw new Error('no');
      })
      .catch(() => undefined);
    await announce(2);
    await effectsAre([2]);
    expect(await effects()).not.toContain(1);
    expect(contexts).toEqual([
      { requestId: expect.any(String), organizationId: 'o1', actor: 'platform:basic', isBackground: true },
    ]);
    // The relay notes what it has sent after the broker has it, and so maybe after the event has arrived.
    await eventually(async () => expect(await unsent()).toBe(0));
  });

  it('is stored once when it is added twice', async () => {
    const event = newEvent(3);
    await producer.transaction((tx) => addToOutbox(tx, event));
    await producer.transaction((tx) => addToOutbox(tx, event));
    await expect(
      producer.query('select 1 from outbox where event_id = $1', [event.id]),
    ).resolves.toMatchObject({ rowCount: 1 });
  });

  it('is sent by one of several relays, also what another process left behind', async () => {
    for (const n of range(10, 260)) await announce(n);
    relay();
    relay();
    consume('several');
    await effectsAre(range(10, 260));
    await eventually(async () => expect(await unsent()).toBe(0));
  });
});

describe('a consumer', () => {
  it('has the effect once when an event is delivered twice, and when copies share the work', async () => {
    consume('twice');
    consume('twice');
    const event = newEvent(301);
    // another message id, as after the two minutes in which the broker knows ids
    const jetstream = nats.jetstream();
    await ensureEventStream(nats);
    for (const msgID of ['a', 'b', 'c'])
      await jetstream.publish(eventSubject(lit), JSON.stringify(event), { msgID });
    await publish(newEvent(302));
    await effectsAre([301, 302]);
  });

  it('acknowledges an event that does not concern it, and keeps nothing of it', async () => {
    const started = startConsumer({
      ...{ nats, db: consumer, logger, durable: 'unconcerned', events: [lit], handle: record },
      concerns: ({ data }) => data.n !== 305,
    });
    parts.push(started);
    const passed = newEvent(305);
    await publish(passed);
    await publish(newEvent(306));
    await effectsAre([306]);
    await eventually(async () => expect(await unsettled('unconcerned')).toBe(0));
    expect(await effects()).not.toContain(305);
    const { rowCount } = await consumer.query('select 1 from inbox where event_id = $1', [passed.id]);
    expect(rowCount).toBe(0);
  });

  it('tries again after a failure, and leaves no trace of the failed try', async () => {
    let tries = 0;
    consume('again', async (tx, event) => {
      if (event.data.n !== 310) return;
      await record(tx, event);
      tries += 1;
      if (tries < 3) throw new Error('not yet');
    });
    await publish(newEvent(310));
    await effectsAre([310]);
    expect(tries).toBe(3);
    await expect(parkedBy('again')).resolves.toBe(0);
  });

  it('sets an event aside after five tries, goes on with the others, and replays it once it can', async () => {
    let works = false;
    let tries = 0;
    const running = consume('poison', async (tx, event) => {
      if (event.data.n === 320 && !works) {
        tries += 1;
        throw new Error('poison with +14155550100');
      }
      if (event.data.n >= 320) await record(tx, event);
    });
    const poison = newEvent(320);
    await publish(poison);
    await publish(newEvent(321));
    await eventually(async () => expect(await parkedBy('poison')).toBe(1));
    await effectsAre([321]);
    expect(tries).toBe(5);
    const { rows } = await consumer.query(
      'select consumer, message_id, reason, deliveries from parked_messages',
    );
    expect(rows).toEqual([
      { consumer: 'poison', message_id: poison.id, reason: 'Error: poison with +*******0100', deliveries: 5 },
    ]);
    await expect(running.replayParked()).resolves.toBe(1);
    works = true;
    await expect(running.replayParked()).resolves.toBe(0);
    await expect(running.replayParked()).resolves.toBe(0);
    await expect(parkedBy('poison')).resolves.toBe(0);
    await effectsAre([320, 321]);
  });

  it('sets aside at once what no try can mend: broken JSON, a wrong shape', async () => {
    let handled = 0;
    consume('unreadable', async () => {
      handled += 1;
    });
    await ensureEventStream(nats);
    const before = handled;
    const jetstream = nats.jetstream();
    await jetstream.publish(eventSubject(broken), 'not json', { msgID: 'broken-json' });
    await jetstream.publish(
      eventSubject(broken),
      JSON.stringify({ ...newEvent(1), name: broken.name, data: { n: 'one' } }),
    );
    await eventually(async () => expect(await parkedBy('unreadable')).toBe(2));
    const { rows } = await consumer.query<{ reason: string }>(
      'select reason from parked_messages order by reason',
    );
    expect(rows.map(({ reason }) => reason)).toEqual([
      'Unreadable: not JSON',
      'Unreadable: not a lamps.lamp.broken of version 1',
    ]);
    expect(before).toBeLessThanOrEqual(handled);
  });

  it('leaves an event of a newer release to a copy that was upgraded, and says what it waits for', async () => {
    const handle: Handle = (tx, event) => (event.data.n === 325 ? record(tx, event) : Promise.resolve());
    const old = consume('versions', handle);
    await publish(makeEvent(litNow, { ...newEvent(1), data: { n: 326, lumen: 5 } }));
    await publish(newEvent(325));
    await effectsAre([325]);
    await eventually(() =>
      expect(old.trouble?.()).toBe(
        'lamps.lamp.lit in version 2 is an event of a newer release: upgrade this service',
      ),
    );
    await expect(parkedBy('versions')).resolves.toBe(0);
    await old.stop();
    const upgraded = startConsumer({
      ...{ nats, db: consumer, logger, durable: 'versions', events: [lit, litNow] },
      handle: async (tx, event) => {
        if (event.data.n === 326) await record(tx, makeEvent(lit, { ...event, data: { n: event.data.n } }));
      },
    });
    parts.push(upgraded);
    await eventually(() => effectsAre([326]), { timeoutMs: 30_000 });
  });

  it('handles an event that copies of an older release left more often than a try is repeated', async () => {
    const ignore: Handle = () => Promise.resolve();
    const old = consume('patience', ignore, [10, 10, 100, 10]);
    await publish(makeEvent(litNow, { ...newEvent(1), data: { n: 327, lumen: 5 } }));
    const left = async () => {
      const { rows } = await consumer.query<{ times: number }>(
        `select times from messages_left where consumer = 'patience'`,
      );
      return rows.map(({ times }) => times);
    };
    await eventually(async () => expect((await left())[0]).toBeGreaterThan(10), { timeoutMs: 30_000 });
    await old.stop();
    let fails = 1;
    const upgraded = startConsumer({
      ...{ nats, db: consumer, logger, durable: 'patience', events: [lit, litNow], backoffMs: [10] },
      handle: async (tx, event) => {
        if (event.data.n !== 327) return;
        fails -= 1;
        if (fails >= 0) throw new Error('a first try may fail');
        await record(tx, makeEvent(lit, { ...event, data: { n: event.data.n } }));
      },
    });
    parts.push(upgraded);
    await eventually(() => effectsAre([327]), { timeoutMs: 90_000 });
    await expect(parkedBy('patience')).resolves.toBe(0);
    await eventually(async () => expect(await left()).toEqual([]));
  });

  it('uses up no try of an event that a copy gives back because it leaves', async () => {
    const begun = gate();
    const door = gate();
    const leaving = consume('leaver', async () => {
      begun.open();
      await door.opened;
    });
    await publish(newEvent(328));
    await begun.opened;
    await publish(newEvent(329));
    await eventually(async () => expect(await unsettled('leaver')).toBe(2));
    const gone = leaving.stop();
    door.open();
    await gone;
    let fails = 1;
    const staying = async (tx: Tx, event: ConsumedEvent<typeof lit | typeof broken>): Promise<void> => {
      if (event.data.n !== 329) return;
      fails -= 1;
      if (fails >= 0) throw new Error('a first try may fail');
      await record(tx, event);
    };
    consume('leaver', staying, [10]);
    await effectsAre([329]);
    await expect(parkedBy('leaver')).resolves.toBe(0);
  });

  it('waits for a dependency that is away, however long, without using up tries', async () => {
    let away = true;
    let tries = 0;
    const waiting = consume('waits', async (tx, event) => {
      if (event.data.n !== 330) return;
      tries += 1;
      if (away) throw new AppError('SERVICE_UNAVAILABLE');
      await record(tx, event);
    });
    await publish(newEvent(330));
    await eventually(() => expect(tries).toBeGreaterThan(5), { timeoutMs: 60_000 });
    expect(waiting.trouble?.()).toBe('an event has to wait');
    away = false;
    await effectsAre([330]);
    await eventually(() => expect(waiting.trouble?.()).toBeUndefined());
    await expect(parkedBy('waits')).resolves.toBe(0);
  });

  it('stops at once when it waits, and gives its message back', async () => {
    const stuck = consume('stops', async (_, event) => {
      if (event.data.n === 340) throw new AppError('SERVICE_UNAVAILABLE');
    });
    await publish(newEvent(340));
    await eventually(async () => expect(await unsettled('stops')).toBe(1));
    const startedAt = Date.now();
    await stuck.stop();
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    consume('stops', (tx, event) => (event.data.n === 340 ? record(tx, event) : Promise.resolve()));
    await effectsAre([340]);
  });

  it('that stops gives back at once what it has not begun, and ends what it has', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const begun: number[] = [];
    const stopping = consume('hands', async (tx, event) => {
      begun.push(event.data.n);
      await finished;
      await record(tx, event);
    });
    try {
      await publish(newEvent(1_000));
      await eventually(() => expect(begun).toEqual([1_000]));
      for (const n of range(1_001, 1_020)) await publish(newEvent(n));
      await eventually(async () => expect(await unsettled('hands')).toBe(20));
      const stopped = stopping.stop();
      consume('hands');
      await effectsAre(range(1_001, 1_020), 20_000);
      expect(begun).toEqual([1_000]);
      // The broker counts a message as settled a moment after its effect is there.
      await eventually(async () => expect(await unsettled('hands')).toBe(1));
      finish();
      await stopped;
    } finally {
      finish();
    }
    await effectsAre([1_000]);
    await eventually(async () => expect(await unsettled('hands')).toBe(0));
  });

  it('that stops leaves no event on its way to wait, whenever it stops', async () => {
    const other = await connectNats({ url: server.url, name: 'other' });
    try {
      for (const round of range(0, 12)) {
        const first = 1_100 + 20 * round;
        const leaving = consume('ways');
        await publish(newEvent(first));
        // Those that the consumer of the round before has left, too.
        await effectsAre(range(1_100, first + 1), 20_000);
        const publishing = range(first + 1, first + 20).map((n) => {
          const event = newEvent(n);
          return other.jetstream().publish(eventSubject(event), JSON.stringify(event), { msgID: event.id });
        });
        await publishing[round];
        await Promise.all([leaving.stop(), ...publishing]);
      }
    } finally {
      await other.close();
    }
  });
});

describe('events that arrive together', () => {
  /** Published before any consumer runs, and so handed over together. */
  const publishAll = async (numbers: readonly number[]): Promise<void> => {
    for (const n of numbers) await publish(newEvent(n));
  };

  it('share transactions, and have their effects in order', async () => {
    await publishAll(range(350, 380));
    const seen: number[] = [];
    const transactions = new Set<string>();
    consume('together', async (tx, event) => {
      if (event.data.n < 350) return;
      seen.push(event.data.n);
      const { rows } = await tx.query<{ id: string }>('select pg_current_xact_id()::text as id');
      transactions.add(rows[0]?.id ?? '');
      await record(tx, event);
    });
    await effectsAre(range(350, 380));
    expect(seen).toEqual(range(350, 380));
    expect(transactions.size).toBeLessThan(15);
  });

  it('have their effects once each around one that fails, which alone uses up its tries and is set aside', async () => {
    await publishAll(range(380, 390));
    let tries = 0;
    consume('around', async (tx, event) => {
      if (event.data.n < 380) return;
      await record(tx, event);
      if (event.data.n !== 384) return;
      tries += 1;
      throw new Error('poison');
    });
    const others = range(380, 390).filter((n) => n !== 384);
    await eventually(async () => expect(await parkedBy('around')).toBe(1), { timeoutMs: 60_000 });
    await effectsAre(others);
    expect(tries).toBe(5);
    expect((await effects()).filter((n) => n >= 380 && n < 390)).toEqual(others);
  });
});

describe('events that gather', () => {
  const gather = (durable: string): Consumer => {
    const started = startConsumer({
      nats,
      db: consumer,
      logger,
      durable,
      events: [lit],
      handle: record as (tx: Tx, event: ConsumedEvent<typeof lit>) => Promise<void>,
      gatherMs: 600_000,
    });
    parts.push(started);
    return started;
  };

  it('share a transaction although they come one by one, as soon as no more can be taken in hand', async () => {
    gather('gathering');
    const expected = range(7_000, 7_032);
    for (const n of expected) await publish(newEvent(n));
    await effectsAre(expected);
    const { rows } = await consumer.query<{ transactions: number }>(
      'select count(distinct xmin::text)::int as transactions from effects where n between 7000 and 7031',
    );
    expect(rows).toEqual([{ transactions: 1 }]);
  });

  it('are given to another copy when the one that has them stops', async () => {
    const leaving = gather('gathering-leaves');
    await publish(newEvent(7_100));
    await eventually(async () => expect(await unsettled('gathering-leaves')).toBe(1));
    await leaving.stop();
    consume('gathering-leaves');
    await effectsAre([7_100]);
  });
});

describe('a broker that fails', () => {
  it('loses nothing and doubles nothing when it is killed while events flow', async () => {
    relay();
    consume('killed');
    const writing = (async () => {
      for (const n of range(400, 600)) await announce(n);
    })();
    await effectsAre([400]);
    server.crash();
    await writing;
    await effectsAre(range(400, 600));
    await eventually(async () => expect(await unsent()).toBe(0), { timeoutMs: 60_000 });
  });

  const sendAll = async (from: number, to: number): Promise<void> => {
    for (const n of range(from, to)) await announce(n);
    await eventually(async () => expect(await unsent()).toBe(0));
  };

  it('makes good for itself when all it held is gone: sent long ago, sent just now, and not yet sent', async () => {
    relay();
    await sendAll(600, 630);
    await producer.query(`update outbox set sent_at = sent_at - interval '6 days'`);
    await sendAll(630, 650);
    await loseBroker();
    for (const n of range(650, 700)) await announce(n);
    consume('wiped');
    await effectsAre(range(600, 700));
  });

  it('makes good for itself when a power cut took what it had not yet written to its disk', async () => {
    relay();
    await sendAll(710, 720);
    const manager = await nats.jetstreamManager();
    await manager.streams.purge(eventStreamName);
    server.crash();
    consume('unsynced');
    await effectsAre(range(710, 720));
  });

  it('is noticed by a consumer that was waiting when it was lost', async () => {
    relay();
    consume('waiting');
    await announce(700);
    await effectsAre([700]);
    await loseBroker();
    await announce(701);
    await effectsAre([700, 701]);
  });

  it('does not keep a service from starting or stopping', async () => {
    await server.stop();
    const startedAt = Date.now();
    relay();
    consume('offline');
    await announce(800);
    await Promise.all(parts.splice(0).map((part) => part.stop()));
    expect(Date.now() - startedAt).toBeLessThan(40_000);
    await expect(unsent()).resolves.toBeGreaterThan(0);
    server = await startBroker(server.port);
    relay();
    consume('offline');
    await effectsAre([800]);
  });
});
