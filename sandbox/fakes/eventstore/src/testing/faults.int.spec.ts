// Faults as the real client sees them: its errors, the work that was done, and the result of a repetition. Stand-in
// only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { END, EventStoreDBClient, START } from '@eventstore/db-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Collected,
  counted,
  deferred,
  freshStream,
  numbersIn,
  WITHOUT_BATCH,
} from '../conformance/support.js';
import { createEventStoreFaults, type RunningEventStore, startEventStore } from '../index.js';

const faults = createEventStoreFaults();
let dataDir: string;
let server: RunningEventStore;
let client: EventStoreDBClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'eventstore-faults-'));
  server = await startEventStore({ dataDir, faults });
  client = EventStoreDBClient.connectionString(server.connectionString);
});
afterAll(async () => {
  await client.dispose();
  await server.stop();
  await rm(dataDir, { recursive: true });
});
beforeEach(() => faults.clear());

const once = (target: string, mode: string, more: object = {}): void =>
  faults.set({ target, mode, times: 1, ...more });
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error) => error,
  );

describe.each([
  ['BatchAppend', {}],
  ['Append', WITHOUT_BATCH],
])('an append over %s', (_method, options) => {
  it.each([
    ['refuse', 'unavailable', 14],
    ['reset-before', 'unavailable', 14],
    ['5xx-before', 'unavailable', 14],
    ['429', 'unknown', 8],
    ['4xx', 'access-denied', undefined],
  ])('that meets %s is %s and stores nothing', async (mode, type, code) => {
    const stream = freshStream();
    await client.appendToStream(stream, counted(0), options);
    once('append', mode);
    const error = await failure(client.appendToStream(stream, counted(1), options));
    expect(error).toMatchObject(code === undefined ? { type } : { type, code });
    await client.appendToStream(stream, counted(2), { ...options, expectedRevision: 0n });
    expect(await numbersIn(client, stream)).toEqual([0, 2]);
  });

  it.each(['5xx-after', 'reset-after'])(
    'that meets %s is stored, and its repetition gets the first result',
    async (mode) => {
      const stream = freshStream();
      const events = [counted(0), counted(1)];
      const asNew = { ...options, expectedRevision: 'no_stream' } as const;
      once('append', mode);
      const error = await failure(client.appendToStream(stream, events, asNew));
      expect(error).toMatchObject({ type: 'unavailable' });
      expect(await numbersIn(client, stream)).toEqual([0, 1]);
      await client.appendToStream(stream, counted(2), options);
      const again = await client.appendToStream(stream, events, asNew);
      expect(again).toMatchObject({ success: true, nextExpectedRevision: 1n });
      expect(await numbersIn(client, stream)).toEqual([0, 1, 2]);
    },
  );

  it('that meets hang-after is stored and never answered', async () => {
    const stream = freshStream();
    let answered = false;
    once('append', 'hang-after');
    client.appendToStream(stream, counted(0), options).then(
      () => {
        answered = true;
      },
      () => undefined,
    );
    const seen = new Collected(client.subscribeToStream(stream));
    await seen.until((numbers) => numbers.length === 1);
    await client.appendToStream(stream, counted(1), options);
    expect(answered).toBe(false);
    await seen.subscription.unsubscribe();
  });

  it('that is slow is late and as good as any', async () => {
    const stream = freshStream();
    once('append', 'slow', { ms: 40 });
    const begun = performance.now();
    await client.appendToStream(stream, counted(0), options);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(39);
    expect(await numbersIn(client, stream)).toEqual([0]);
  });
});

describe('other appends of a client', () => {
  it('that are cut short when one fails can all be repeated, and are there once', async () => {
    const stream = freshStream();
    const events = Array.from({ length: 50 }, (_, n) => counted(n));
    once('append', '5xx-after');
    const appends = events.map((event, n) => client.appendToStream(`${stream}-${n}`, event));
    const outcomes = await Promise.allSettled(appends);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    for (const [n, event] of events.entries()) {
      await client.appendToStream(`${stream}-${n}`, event);
      expect(await numbersIn(client, `${stream}-${n}`)).toEqual([n]);
    }
  });
});

describe('a delete', () => {
  it('that meets 5xx-after is done', async () => {
    const stream = freshStream();
    await client.appendToStream(stream, counted(0));
    once('append', '5xx-after');
    await expect(client.deleteStream(stream)).rejects.toMatchObject({ type: 'unavailable' });
    await expect(numbersIn(client, stream)).rejects.toMatchObject({ type: 'stream-not-found' });
  });
});

describe('a read', () => {
  it.each([
    ['refuse', { type: 'unavailable' }],
    ['reset-before', { type: 'unavailable' }],
    ['reset-after', { type: 'unavailable' }],
    ['5xx-before', { type: 'unavailable', code: 14 }],
    ['5xx-after', { type: 'unavailable', code: 14 }],
    ['4xx', { type: 'access-denied' }],
    ['429', { code: 8 }],
  ])('that meets %s fails, and works the next time', async (mode, expected) => {
    const stream = freshStream();
    await client.appendToStream(stream, counted(0));
    once('read', mode);
    expect(await failure(numbersIn(client, stream))).toMatchObject(expected);
    expect(await numbersIn(client, stream)).toEqual([0]);
  });
});

describe('a subscription', () => {
  const dropped = (mode: string) => {
    once('subscribe', mode);
    const stream = freshStream();
    // From the end, because a subscription catches up only with a stream that is there.
    const subscription = client.subscribeToStream(stream, { fromRevision: END });
    const error = deferred<unknown>();
    subscription.on('error', error.resolve);
    return { stream, error: error.promise, seen: new Collected(subscription) };
  };

  it.each(['refuse', 'reset-before', 'reset-after', '5xx-before', '5xx-after'])(
    'that meets %s is dropped as unavailable',
    async (mode) => {
      expect(await dropped(mode).error).toMatchObject({ type: 'unavailable' });
    },
  );

  it('that meets 4xx is denied', async () => {
    expect(await dropped('4xx').error).toMatchObject({ type: 'access-denied' });
  });

  it('that meets 5xx-after has had everything that was there', async () => {
    const stream = freshStream();
    await client.appendToStream(stream, [counted(0), counted(1)]);
    once('subscribe', '5xx-after');
    const seen = new Collected(client.subscribeToStream(stream, { fromRevision: START }));
    const error = deferred<unknown>();
    seen.subscription.on('error', error.resolve);
    expect(await error.promise).toMatchObject({ type: 'unavailable' });
    expect(seen.numbers).toEqual([0, 1]);
  });

  it('that meets hang-after says nothing any more, and others are not held up', async () => {
    const { stream, seen } = dropped('hang-after');
    await seen.caughtUp;
    const other = new Collected(client.subscribeToStream(stream));
    await client.appendToStream(stream, counted(0));
    await other.until((numbers) => numbers.length === 1);
    expect(seen.numbers).toEqual([]);
    await Promise.all([seen.subscription.unsubscribe(), other.subscription.unsubscribe()]);
  });
});
