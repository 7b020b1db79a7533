// Catch-up subscriptions: to a stream and to $all, filters with checkpoints, caught-up. Runs against any EventStoreDB.

import { randomUUID } from 'node:crypto';
import {
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  type Position,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Collected,
  conformanceTarget,
  counted,
  deferred,
  endsSlowReaders,
  freshStream,
  now,
  type Target,
} from './support.js';

let target: Target;
let client: EventStoreDBClient;
beforeAll(async () => {
  target = await conformanceTarget();
  client = target.client;
});
afterAll(() => target.stop());

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('subscribing to a stream', () => {
  it('gives what is there, says that it caught up, then gives what is appended', async () => {
    const stream = freshStream();
    await client.appendToStream(
      stream,
      upTo(50).map((n) => counted(n)),
    );
    const collected = new Collected(client.subscribeToStream(stream, { fromRevision: START }));
    await collected.caughtUp;
    expect(collected.numbers).toEqual(upTo(50));
    for (let n = 50; n < 60; n += 1) await client.appendToStream(stream, counted(n));
    await collected.until((numbers) => numbers.length === 60);
    expect(collected.numbers).toEqual(upTo(60));
    await collected.subscription.unsubscribe();
  });

  it('begins after the revision it is given, and from the end with what is new', async () => {
    const stream = freshStream();
    await client.appendToStream(
      stream,
      upTo(5).map((n) => counted(n)),
    );
    const resumed = new Collected(client.subscribeToStream(stream, { fromRevision: 2n }));
    const fresh = new Collected(client.subscribeToStream(stream, { fromRevision: END }));
    await Promise.all([resumed.caughtUp, fresh.caughtUp]);
    await client.appendToStream(stream, counted(5));
    await resumed.until((numbers) => numbers.includes(5));
    await fresh.until((numbers) => numbers.includes(5));
    expect(resumed.numbers).toEqual([3, 4, 5]);
    expect(fresh.numbers).toEqual([5]);
    await Promise.all([resumed.subscription.unsubscribe(), fresh.subscription.unsubscribe()]);
  });

  it('waits for a stream that is not there yet, and has caught up only once there is one', async () => {
    const stream = freshStream();
    const collected = new Collected(client.subscribeToStream(stream));
    let seenWhenCaughtUp: number[] | undefined;
    void collected.caughtUp.then(() => {
      seenWhenCaughtUp = collected.numbers;
    });
    const other = new Collected(client.subscribeToStream(freshStream(), { fromRevision: END }));
    await other.caughtUp;
    await client.appendToStream(stream, counted(1));
    await collected.caughtUp;
    expect(seenWhenCaughtUp).toEqual([1]);
    await Promise.all([collected.subscription.unsubscribe(), other.subscription.unsubscribe()]);
  });
});

describe('subscribing to $all', () => {
  it('while writers append, has every event once, in order of position', async () => {
    const prefix = freshStream('busy');
    const fromPosition = await now(client);
    const filter = streamNameFilter({ prefixes: [prefix] });
    const collected = new Collected(client.subscribeToAll({ fromPosition, filter }));
    const writers = upTo(10).map(async (writer) => {
      for (let n = 0; n < 50; n += 1)
        await client.appendToStream(`${prefix}-${writer}`, counted(writer * 50 + n));
    });
    await Promise.all(writers);
    await collected.until((numbers) => numbers.length >= 500);
    expect([...collected.numbers].sort((a, b) => a - b)).toEqual(upTo(500));
    const positions = collected.events.map(({ event }) => event?.position?.commit ?? -1n);
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    await collected.subscription.unsubscribe();
  });

  it('begins after the position it is given', async () => {
    const stream = freshStream();
    const { position } = await client.appendToStream(stream, [counted(0), counted(1)]);
    await client.appendToStream(stream, counted(2));
    if (position === undefined) throw new Error('an append returns a position');
    const filter = streamNameFilter({ prefixes: [stream] });
    const collected = new Collected(client.subscribeToAll({ fromPosition: position, filter }));
    await collected.until((numbers) => numbers.length >= 1);
    expect(collected.numbers).toEqual([2]);
    await collected.subscription.unsubscribe();
  });

  it('filters by prefix or regex, of stream name or event type', async () => {
    const id = randomUUID();
    const fromPosition = await now(client);
    const typed = (type: string, n: number) => jsonEvent({ type: `${type}-${id}`, data: { n } });
    await client.appendToStream(`call-${id}`, [typed('Started', 0), typed('Ended', 1)]);
    await client.appendToStream(`campaign-${id}`, [typed('Started', 2), typed('Paused', 3)]);
    await client.appendToStream(`recall-${id}`, typed('Started', 4));
    const cases = [
      [streamNameFilter({ prefixes: [`call-${id}`, `recall-${id}`] }), [0, 1, 4]],
      [streamNameFilter({ regex: `call-${id}$` }), [0, 1, 4]],
      [streamNameFilter({ regex: `^ca(ll|mpaign)-${id}` }), [0, 1, 2, 3]],
      [eventTypeFilter({ prefixes: [`Started-${id}`, `Paused-${id}`] }), [0, 2, 3, 4]],
      [eventTypeFilter({ regex: `^(Ended|Paused)-${id}` }), [1, 3]],
    ] as const;
    for (const [filter, expected] of cases) {
      const collected = new Collected(client.subscribeToAll({ fromPosition, filter }));
      await collected.caughtUp;
      expect(collected.numbers).toEqual(expected);
      await collected.subscription.unsubscribe();
    }
  });

  it('resumed from any checkpoint of a filter, misses nothing and repeats nothing before it', async () => {
    const prefix = freshStream('checkpointed');
    const fromPosition = await now(client);
    for (let n = 0; n < 200; n += 1) {
      await client.appendToStream(n % 4 === 0 ? `${prefix}-${n}` : freshStream('other'), counted(n));
    }
    const matching = upTo(200).filter((n) => n % 4 === 0);
    const checkpoints: { position: Position; seen: number }[] = [];
    const filter = streamNameFilter({
      prefixes: [prefix],
      maxSearchWindow: 10,
      checkpointInterval: 1,
      checkpointReached: (_subscription, position) => {
        checkpoints.push({ position, seen: collected.events.length });
      },
    });
    const collected: Collected = new Collected(client.subscribeToAll({ fromPosition, filter }));
    await collected.caughtUp;
    expect(collected.numbers).toEqual(matching);
    await collected.subscription.unsubscribe();
    expect(checkpoints.length).toBeGreaterThan(5);
    for (const { position } of [checkpoints[3], checkpoints.at(-2)].filter((point) => point !== undefined)) {
      const resumed = new Collected(
        client.subscribeToAll({ fromPosition: position, filter: streamNameFilter({ prefixes: [prefix] }) }),
      );
      await resumed.caughtUp;
      const before = collected.events.filter(
        ({ event }) => (event?.position?.commit ?? 0n) <= position.commit,
      );
      expect(resumed.numbers).toEqual(matching.slice(before.length));
      await resumed.subscription.unsubscribe();
    }
  });

  it('sends checkpoints while live, although nothing matches', async () => {
    const reached = deferred<Position>();
    const caughtUp = deferred<void>();
    const from = await now(client);
    let live = false;
    const subscription = client.subscribeToAll({
      fromPosition: from,
      filter: streamNameFilter({
        prefixes: [freshStream('nothing')],
        maxSearchWindow: 5,
        checkpointReached: (_subscription, position) => {
          if (live) reached.resolve(position);
        },
      }),
    });
    subscription.on('error', reached.reject).on('caughtUp', () => caughtUp.resolve());
    subscription.resume();
    await caughtUp.promise;
    live = true;
    for (let n = 0; n < 20; n += 1) await client.appendToStream(freshStream('other'), counted(n));
    expect((await reached.promise).commit).toBeGreaterThan(from.commit);
    await subscription.unsubscribe();
  });

  const padding = 'x'.repeat(20_000);
  const appendMany = async (stream: string, from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1)
      await client.appendToStream(stream, jsonEvent({ type: 'counted', data: { n, padding } }));
  };

  it('a live subscriber that stops reading holds no writer up and loses nothing; up to 23.10 it is ended', async () => {
    const stream = freshStream();
    const fromPosition = await now(client);
    const filter = streamNameFilter({ prefixes: [stream] });
    const collected = new Collected(client.subscribeToAll({ fromPosition, filter }));
    const ended = new Promise((resolve) => {
      collected.subscription.once('error', resolve);
    });
    await collected.caughtUp;
    collected.subscription.pause();
    await appendMany(stream, 0, 300);
    collected.subscription.resume();
    if (!(await endsSlowReaders(client))) {
      await collected.until((numbers) => numbers.length === 300);
      expect(collected.numbers).toEqual(upTo(300));
      return collected.subscription.unsubscribe();
    }
    expect(await ended).toMatchObject({
      type: 'timeout',
      code: 10,
      message: expect.stringContaining(
        'Consumer too slow to handle event while live. Client resubscription required.',
      ),
    });
    const had = collected.events.length;
    expect(had).toBeLessThan(300);
    expect(collected.numbers).toEqual(upTo(had));
    const last = collected.events.at(-1)?.event?.position ?? fromPosition;
    const again = new Collected(client.subscribeToAll({ fromPosition: last, filter }));
    await again.until((numbers) => numbers.length === 300 - had);
    expect(again.numbers).toEqual(upTo(300).slice(had));
    await again.subscription.unsubscribe();
  });

  it('a subscriber that is catching up is waited for, however long it does not read', async () => {
    const stream = freshStream();
    const fromPosition = await now(client);
    await appendMany(stream, 0, 200);
    const filter = streamNameFilter({ prefixes: [stream] });
    const collected = new Collected(client.subscribeToAll({ fromPosition, filter }));
    await collected.until((numbers) => numbers.length > 0);
    collected.subscription.pause();
    await appendMany(stream, 200, 300);
    collected.subscription.resume();
    await collected.until((numbers) => numbers.length === 300);
    expect(collected.numbers).toEqual(upTo(300));
    await collected.subscription.unsubscribe();
  });
});
