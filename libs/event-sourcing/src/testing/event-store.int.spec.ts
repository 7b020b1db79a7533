import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createEventStoreFaults, type RunningEventStore, startEventStore } from '@parlance/fake-eventstore';
import { eventually } from '@parlance/fixtures';
import {
  commandHandler,
  connectEventStore,
  type Decider,
  type EventStoreConnection,
  rawStream,
  WrongRevision,
} from '../index.js';
import { type LampEvent, lampEvents, lit, meta, mirror, oldLampEvents } from './lamps.js';

const brightness: Decider<number, { brighter: number }, LampEvent> = {
  initialState: 0,
  evolve: (state, event) => (event.type === 'LampLit' ? state + event.data.brightness : state),
  decide: ({ brighter }) => [lit(brighter)],
};

describe('events in EventStoreDB', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  const faults = createEventStoreFaults();
  let server: RunningEventStore;
  let store: EventStoreConnection;

  const connect = (url: string, deadlineMs?: number): EventStoreConnection =>
    connectEventStore({
      url: new Secret(url),
      name: 'test',
      personalData: mirror,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });

  beforeAll(async () => {
    server = await startEventStore({ dataDir: directory, fsync: false, faults });
    store = connect(server.connectionString);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('reads back what was appended, with its metadata', async () => {
    const stream = `lamp-${randomUUID()}`;
    const appended = await store.append(
      stream,
      [lit(1), lit(2)],
      'none',
      { ...meta(), causationId: 'c' },
      lampEvents,
    );
    const { events, revision } = await store.read(stream, lampEvents);
    expect(appended.revision).toBe(1n);
    expect(revision).toBe(1n);
    expect(events.map(({ event }) => event)).toEqual([lit(1), lit(2)]);
    expect(events[1]).toMatchObject({
      stream,
      entityId: stream.slice('lamp-'.length),
      revision: 1n,
      metadata: {
        eventId: events[1]?.id,
        schemaVersion: 1,
        organizationId: 'org',
        actor: 'user:1',
        causationId: 'c',
      },
    });
  });

  it('has no events and no revision for a stream that does not exist', async () => {
    await expect(store.read(`lamp-${randomUUID()}`, lampEvents)).resolves.toEqual({
      events: [],
      revision: 'none',
    });
  });

  it('stores the personal part sealed and opens it again', async () => {
    const stream = `lamp-${randomUUID()}`;
    const given: LampEvent = { type: 'LampGiven', data: {}, personal: { to: 'Ada Lovelace' } };
    await store.append(stream, [given], 'none', meta(), lampEvents);
    const raw: unknown[] = [];
    for await (const { data, metadata } of rawStream(store, stream)) raw.push(data, metadata);
    expect(raw).toHaveLength(2);
    expect(JSON.stringify(raw)).not.toContain('Lovelace');
    const { events } = await store.read(stream, lampEvents);
    expect(events[0]?.event).toEqual(given);
  });

  it('does not decide on a history of which it knows only a part', async () => {
    const stream = `lamp-${randomUUID()}`;
    await store.append(
      stream,
      [{ type: 'LampGiven', data: {}, personal: { to: 'A' } }],
      'none',
      meta(),
      lampEvents,
    );
    await expect(store.read(stream, oldLampEvents)).rejects.toMatchObject({
      code: 'NEWER_RELEASE_NEEDED',
      status: 503,
      retryAfterSeconds: 10,
      reason: 'LampGiven in version 1 is an event of a newer release: upgrade this service',
    });
  });

  it('refuses an append at a revision that is no longer the newest', async () => {
    const stream = `lamp-${randomUUID()}`;
    await store.append(stream, [lit(1)], 'none', meta(), lampEvents);
    await expect(store.append(stream, [lit(2)], 'none', meta(), lampEvents)).rejects.toBeInstanceOf(
      WrongRevision,
    );
    await expect(store.append(stream, [lit(2)], 5n, meta(), lampEvents)).rejects.toBeInstanceOf(
      WrongRevision,
    );
  });

  it('takes an append that is repeated after a lost answer once', async () => {
    const stream = `lamp-${randomUUID()}`;
    const command = meta();
    const first = await store.append(stream, [lit(1)], 'none', command, lampEvents);
    const again = await store.append(stream, [lit(1)], 'none', command, lampEvents);
    expect(again.revision).toBe(first.revision);
    expect((await store.read(stream, lampEvents)).events).toHaveLength(1);
  });

  it('gives up an append that is never answered after its deadline, and it alone', async () => {
    const patient = connect(server.connectionString);
    const hasty = connect(server.connectionString, 300);
    const [lost, other] = [`lamp-${randomUUID()}`, `lamp-${randomUUID()}`];
    const command = meta();
    faults.set({ target: 'append', mode: 'hang-after', times: 1 });
    const given = hasty.append(lost, [lit(1)], 'none', command, lampEvents);
    await Promise.all([
      expect(given).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
      eventually(async () => expect((await patient.read(lost, lampEvents)).events).toHaveLength(1)).then(() =>
        hasty.append(other, [lit(2)], 'none', meta(), lampEvents),
      ),
    ]);
    // it was stored, which the same command learns by trying again
    await expect(hasty.append(lost, [lit(1)], 'none', command, lampEvents)).resolves.toMatchObject({
      revision: 0n,
    });
    await Promise.all([patient.close(), hasty.close()]);
  });

  it('appends many at once to many streams, each answered with its own revision', async () => {
    const streams = Array.from({ length: 200 }, () => `lamp-${randomUUID()}`);
    const appended = await Promise.all(
      streams.map((stream, index) =>
        store.append(
          stream,
          Array.from({ length: 1 + (index % 5) }, (_, n) => lit(n)),
          'none',
          meta(),
          lampEvents,
        ),
      ),
    );
    expect(appended.map(({ revision }) => revision)).toEqual(streams.map((_, index) => BigInt(index % 5)));
    expect(new Set(appended.map(({ position }) => position)).size).toBe(200);
  });

  it('lets racing commands of one stream all through, each decided on the state it found', async () => {
    const handle = commandHandler({ store, codec: lampEvents, category: 'lamp', decider: brightness });
    const id = randomUUID();
    const racing = Array.from({ length: 4 }, () => handle(id, { brighter: 1 }, meta()));
    await Promise.all(racing);
    await expect(handle.load(id)).resolves.toEqual({ state: 4, revision: 3n });
  });

  it('answers SERVICE_UNAVAILABLE while the store is away, and works again when it is back', async () => {
    const own = mkdtempSync(join(tmpdir(), 'parlance-test-'));
    const running = await startEventStore({ dataDir: own, fsync: false });
    const client = connect(running.connectionString);
    const bystander = store.append(`lamp-${randomUUID()}`, [lit(1)], 'none', meta(), lampEvents);
    await client.append('lamp-1', [lit(1)], 'none', meta(), lampEvents);
    await running.stop();
    const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 };
    await expect(client.append('lamp-1', [lit(2)], 0n, meta(), lampEvents)).rejects.toMatchObject(refused);
    await expect(client.read('lamp-1', lampEvents)).rejects.toMatchObject(refused);
    await expect(client.ping()).rejects.toMatchObject(refused);
    // another connection of the same process notices nothing
    await bystander;
    await store.append(`lamp-${randomUUID()}`, [lit(1)], 'none', meta(), lampEvents);

    const again = await startEventStore({ dataDir: own, fsync: false, port: running.port });
    await eventually(() => client.ping());
    await expect(client.append('lamp-1', [lit(2)], 0n, meta(), lampEvents)).resolves.toMatchObject({
      revision: 1n,
    });
    await client.close();
    await again.stop();
    rmSync(own, { recursive: true, force: true });
  });

  it('does not wait longer than its deadline for a store that accepts and then says nothing', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const client = connect(`esdb://127.0.0.1:${port}?tls=false`, 200);
    const startedAt = performance.now();
    await expect(client.read('lamp-1', lampEvents)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(client.append('lamp-1', [lit(1)], 'none', meta(), lampEvents)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await client.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
});
