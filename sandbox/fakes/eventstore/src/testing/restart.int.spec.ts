// The traces of a stop, a crash or a damaged file, and their treatment by the next start. Stand-in only.
import { appendFile, mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
  streamNameFilter,
  UnsupportedError,
} from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Collected, collect, counted, deferred, numbersIn } from '../conformance/support.js';
import { type RunningEventStore, startEventStore } from '../index.js';

const SEGMENT_BYTES = 4096;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

let dataDir: string;
let server: RunningEventStore;
let client: EventStoreDBClient;

async function start(port = 0): Promise<void> {
  server = await startEventStore({ dataDir, port, segmentBytes: SEGMENT_BYTES });
  client = EventStoreDBClient.connectionString(server.connectionString);
}
async function stop(): Promise<void> {
  await client.dispose();
  await server.stop();
}
async function segments(): Promise<string[]> {
  const names = await readdir(dataDir);
  return names
    .filter((name) => name.startsWith('log-'))
    .sort()
    .map((name) => join(dataDir, name));
}
async function lastSegment(): Promise<string> {
  const last = (await segments()).at(-1);
  if (last === undefined) throw new Error('the log has segments');
  return last;
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'eventstore-restart-'));
  await start();
});
afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

describe('after a clean stop', () => {
  it('everything is there, over many segments, and nothing is replayed', async () => {
    for (let n = 0; n < 100; n += 1) await client.appendToStream(`s-${n % 7}`, counted(n));
    const all = await collect(client.readAll());
    await client.tombstoneStream('s-1');
    await client.deleteStream('s-2');
    await stop();
    expect((await segments()).length).toBeGreaterThan(3);
    await start();
    expect(server.recovery).toEqual({ replayed: 0, cutBytes: 0 });
    const again = await collect(client.readAll());
    expect(again.slice(0, 100)).toEqual(all);
    const backwards = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END }));
    expect(backwards.reverse()).toEqual(again);
    expect(await numbersIn(client, 's-0')).toEqual(upTo(100).filter((n) => n % 7 === 0));
    await expect(numbersIn(client, 's-1')).rejects.toMatchObject({ type: 'stream-deleted' });
    await expect(numbersIn(client, 's-2')).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('an append made before it is still recognised when repeated', async () => {
    const events = [counted(0), counted(1)];
    await client.appendToStream('s', events);
    await stop();
    await start();
    await client.appendToStream('s', events);
    await client.appendToStream('s', events, { expectedRevision: 'no_stream' });
    expect(await numbersIn(client, 's')).toEqual([0, 1]);
  });

  it('a position in the middle of an event is refused', async () => {
    const { position } = await client.appendToStream('s', [counted(0), counted(1)]);
    const inside = (position?.commit ?? 0n) + 3n;
    const reading = collect(client.readAll({ fromPosition: { commit: inside, prepare: inside } }));
    await expect(reading).rejects.toMatchObject({ code: 3 });
  });
});

describe('a damaged directory', () => {
  it('without its index is read from the log', async () => {
    for (let n = 0; n < 100; n += 1) await client.appendToStream(`s-${n % 7}`, counted(n));
    await stop();
    await rm(join(dataDir, 'index'), { recursive: true });
    await start();
    expect(server.recovery).toEqual({ replayed: 100, cutBytes: 0 });
    expect(await numbersIn(client, 's-3')).toEqual(upTo(100).filter((n) => n % 7 === 3));
    expect((await client.appendToStream('s-3', counted(100), { expectedRevision: 13n })).success).toBe(true);
  });

  it.each([
    ['zeros', Buffer.alloc(64), 0],
    ['noise', Buffer.from('f00d'.repeat(40), 'hex'), 80],
    ['noise and zeros', Buffer.from(`${'f00d'.repeat(40)}${'00'.repeat(40)}`, 'hex'), 80],
    ['a few bytes', Buffer.from([0, 0, 1]), 3],
  ])('that ends in %s is cut back to the last whole append', async (_name, tail, cutBytes) => {
    await client.appendToStream(
      's',
      upTo(5).map((n) => counted(n)),
    );
    await stop();
    await appendFile(await lastSegment(), tail);
    await start();
    expect(server.recovery.cutBytes).toBe(cutBytes);
    await client.appendToStream('s', counted(5), { expectedRevision: 4n });
    expect(await numbersIn(client, 's')).toEqual(upTo(6));
  });

  it('that ends within an append loses that append whole', async () => {
    await client.appendToStream('s', counted(0));
    await client.appendToStream('s', [counted(1), counted(2), counted(3)]);
    await stop();
    const path = await lastSegment();
    await truncate(path, (await stat(path)).size - 20);
    await start();
    expect(await numbersIn(client, 's')).toEqual([0]);
    await client.appendToStream('s', counted(1), { expectedRevision: 0n });
    expect((await collect(client.readAll())).map(({ event }) => event?.revision)).toEqual([0n, 1n]);
  });

  it('that is damaged before its end is not opened, so that nothing is cut off behind the damage', async () => {
    for (let n = 0; n < 100; n += 1) await client.appendToStream('s', counted(n));
    await stop();
    const [first = ''] = await segments();
    const file = await open(first, 'r+');
    await file.write(Buffer.from('damage'), 0, 6, 1000);
    await file.close();
    await rm(join(dataDir, 'index'), { recursive: true });
    await expect(startEventStore({ dataDir })).rejects.toThrow(/damaged and others follow/);
    await rm(dataDir, { recursive: true });
    await start();
  });
});

describe('a running server', () => {
  it('keeps a second one away from its directory', async () => {
    await expect(startEventStore({ dataDir })).rejects.toThrow(/in use by another process/);
  });

  it('that cannot have its port leaves its directory free', async () => {
    const other = await mkdtemp(join(tmpdir(), 'eventstore-restart-'));
    await expect(startEventStore({ dataDir: other, port: server.port })).rejects.toThrow(/EADDRINUSE|bind/);
    const second = await startEventStore({ dataDir: other });
    await second.stop();
    await rm(other, { recursive: true });
  });

  it('that restarts is found again by its client, whose subscription resumes from its checkpoint', async () => {
    const filter = streamNameFilter({ prefixes: ['s-'] });
    const first = client.subscribeToAll({ fromPosition: START, filter });
    const dropped = deferred<unknown>();
    const before = new Collected(first);
    first.on('error', dropped.resolve);
    for (let n = 0; n < 10; n += 1) await client.appendToStream(`s-${n}`, counted(n));
    await before.until((numbers) => numbers.length === 10);
    const { port } = server;
    await server.stop();
    expect(await dropped.promise).toMatchObject({ type: expect.stringMatching(/^(cancelled|unavailable)$/) });
    await expect(client.appendToStream('s-10', counted(10))).rejects.toMatchObject({ code: 14 });
    server = await startEventStore({ dataDir, port, segmentBytes: SEGMENT_BYTES });
    await client.appendToStream('s-10', counted(10));
    const checkpoint = before.events.at(-1)?.event?.position;
    if (checkpoint === undefined) throw new Error('an event of $all has a position');
    const after = new Collected(client.subscribeToAll({ fromPosition: checkpoint, filter }));
    await after.caughtUp;
    expect([...before.numbers, ...after.numbers]).toEqual(upTo(11));
    await after.subscription.unsubscribe();
  });

  it('says what it does not implement', async () => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    const subscribing = deferred<void>();
    client.subscribeToPersistentSubscriptionToStream('s', 'group').on('error', subscribing.reject);
    const attempts = [
      client.createPersistentSubscriptionToStream('s', 'group', settings),
      client.updatePersistentSubscriptionToStream('s', 'group', settings),
      client.deletePersistentSubscriptionToStream('s', 'group'),
      subscribing.promise,
      client.createProjection('p', 'fromAll()'),
      client.listProjections(),
      client.restartSubsystem(),
    ];
    const outcomes = await Promise.allSettled(attempts);
    const refusal = { code: 12, message: expect.stringContaining('does not implement') };
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: refusal });
    const toAll = client.createPersistentSubscriptionToAll(
      'group',
      persistentSubscriptionToAllSettingsFromDefaults(),
    );
    await expect(toAll).rejects.toBeInstanceOf(UnsupportedError);
  });

  it('refuses link events and impossible names by saying so', async () => {
    const link = { ...counted(0), type: '$>' };
    await expect(client.appendToStream('s', link)).rejects.toThrow(/link events/);
    await expect(client.appendToStream('', counted(0))).rejects.toThrow(/stream name/);
    await expect(client.appendToStream('$all', counted(0))).rejects.toThrow(/\$all/);
    const filter = streamNameFilter({ regex: '(' });
    const refused = deferred<unknown>();
    client.subscribeToAll({ filter }).on('error', refused.resolve);
    expect(await refused.promise).toMatchObject({ code: 3, message: expect.stringContaining('regex') });
  });
});
