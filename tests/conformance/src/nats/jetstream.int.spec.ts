// Integration events rely on these promises of JetStream.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { type ConformanceTarget, conformanceTarget } from './support.js';

let target: ConformanceTarget;
let nats: NatsConnection;
let manager: JetStreamManager;
let stream: string;
const streams: string[] = [];

beforeAll(async () => {
  target = await conformanceTarget();
  nats = await target.connect('conformance');
  manager = await nats.jetstreamManager();
});
beforeEach(async () => {
  stream = `conformance_${randomUUID()}`;
  streams.push(stream);
  await manager.streams.add({
    name: stream,
    subjects: [`${stream}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
  });
});
afterAll(async () => {
  for (const name of streams) await manager.streams.delete(name);
  await target.close();
});

const publish = (subject: string, text: string, msgID: string = randomUUID()) =>
  nats.jetstream().publish(`${stream}.${subject}`, text, { msgID, expect: { streamName: stream } });

/** Makes a consumer as the platform does. Tests that wait for the end of the time to acknowledge make it short. */
const durable = async (filter: string, ackWaitMs = 60_000): Promise<Consumer> => {
  await manager.consumers.add(stream, {
    durable_name: 'durable',
    filter_subject: `${stream}.${filter}`,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: 64,
    max_deliver: -1,
  });
  return nats.jetstream().consumers.get(stream, 'durable');
};

const pull = async (consumer: Consumer, most: number, expires = 1_000): Promise<JsMsg[]> => {
  const pulled: JsMsg[] = [];
  for await (const message of await consumer.fetch({ max_messages: most, expires })) pulled.push(message);
  return pulled;
};

const next = async (consumer: Consumer): Promise<JsMsg> => {
  const message = await consumer.next({ expires: 20_000 });
  if (message === null) throw new Error('no message came');
  return message;
};

describe('a stream', () => {
  it('stores a message once for its id, and says so', async () => {
    const id = randomUUID();
    expect(await publish('lit', '1', id)).toMatchObject({ duplicate: false, seq: 1 });
    expect(await publish('lit', '1', id)).toMatchObject({ duplicate: true, seq: 1 });
    const { state, config } = await manager.streams.info(stream);
    expect(state.messages).toBe(1);
    // Two minutes: when the answer to an event is lost, the event is sent again long before the window ends.
    expect(config.duplicate_window).toBe(nanos(120_000));
  });

  it('refuses a message that is meant for another stream, and tells with a code that a stream is not there', async () => {
    const meant = nats.jetstream().publish(`${stream}.lit`, '', { expect: { streamName: 'another' } });
    await expect(meant).rejects.toMatchObject({ api_error: { err_code: 10_060 } });
    await expect(manager.streams.info(`${stream}_not`)).rejects.toMatchObject({
      api_error: { err_code: 10_059 },
    });
  });

  it('keeps the time of its birth, and has another one when it is made again', async () => {
    const { created } = await manager.streams.info(stream);
    const again = await manager.streams.add({ name: stream, subjects: [`${stream}.>`] });
    expect(again.created).toBe(created);
    await manager.streams.delete(stream);
    const made = await manager.streams.add({ name: stream, subjects: [`${stream}.>`] });
    expect(made.created).not.toBe(created);
  });
});

describe('a durable consumer', () => {
  it('gets the messages that its filter lets through, in order, from the first one on', async () => {
    for (const n of [1, 2, 3]) {
      await publish('lit.v1', `lit ${n}`);
      await publish('broken.v1', `broken ${n}`);
    }
    const messages = await pull(await durable('lit.*'), 10);
    expect(messages.map((message) => message.string())).toEqual(['lit 1', 'lit 2', 'lit 3']);
    expect(messages.map(({ info }) => info.deliveryCount)).toEqual([1, 1, 1]);
  });

  it('that is not there is told with a code of its own', async () => {
    await expect(manager.consumers.info(stream, 'missing')).rejects.toMatchObject({
      api_error: { err_code: 10_014 },
    });
  });

  it('delivers a message again after the wait that a refusal asks for, and counts the deliveries', async () => {
    await publish('lit', 'x');
    const consumer = await durable('lit');
    (await next(consumer)).nak(500);
    expect(await pull(consumer, 1, 1_000)).toHaveLength(1);
    const { num_redelivered: again } = await consumer.info();
    expect(again).toBe(1);
  });

  it('delivers a message again when no consumer has acknowledged it or reported work on it', async () => {
    await publish('lit', 'x');
    const consumer = await durable('lit', 1_000);
    await next(consumer);
    const second = await next(consumer);
    expect(second.info.deliveryCount).toBe(2);
    second.ack();
    await eventually(async () => expect((await consumer.info()).num_ack_pending).toBe(0));
  });

  it('never delivers a message again after its end was reported', async () => {
    await publish('lit', 'x');
    const consumer = await durable('lit', 1_000);
    (await next(consumer)).term();
    await eventually(async () => expect((await consumer.info()).num_ack_pending).toBe(0));
    expect(await pull(consumer, 1, 1_500)).toEqual([]);
  });

  it('gives each message to one of several that pull through it', async () => {
    for (let n = 0; n < 60; n += 1) await publish('lit', String(n));
    await durable('lit');
    const copies = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => {
        const other = await target.connect(name);
        const messages = await pull(await other.jetstream().consumers.get(stream, 'durable'), 20, 5_000);
        for (const message of messages) message.ack();
        return messages.map((message) => message.string());
      }),
    );
    expect(copies.flat().sort()).toEqual(Array.from({ length: 60 }, (_, n) => String(n)).sort());
  });
});

describe('a server that is killed', () => {
  // Only a server of our own is killed.
  (process.env.CONFORMANCE_NATS_URL === undefined ? it : it.skip)(
    'keeps messages, the ids of the last ones and the consumers, and clients come back',
    async () => {
      const id = randomUUID();
      await publish('lit', 'first');
      await publish('lit', 'second', id);
      const consumer = await durable('lit', 2_000);
      // `ackAck` waits for the answer, so the server has kept this acknowledgement.
      // One that is only sent may die with the server, and its message comes again.
      expect(await (await next(consumer)).ackAck()).toBe(true);
      const before = nats.info?.server_id;
      target.own?.crash();
      await eventually(async () => {
        await nats.flush();
        expect(nats.info?.server_id).not.toBe(before);
      });
      expect(await publish('lit', 'second', id)).toMatchObject({ duplicate: true });
      // The server writes an acknowledgement down later, so a finished message may come once more: consumers expect
      // that.
      const again = await nats.jetstream().consumers.get(stream, 'durable');
      let message = await next(again);
      if (message.string() === 'first') {
        message.ack();
        message = await next(again);
      }
      expect(message.string()).toBe('second');
    },
  );
});
