// An event store that refuses the platform, or has no leader. The report tells the cause and the remedy, and callers learn
// when to try again.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createEventStoreFaults, type RunningEventStore, startEventStore } from '@parlance/fake-eventstore';
import { testCertificate } from '@parlance/fake-eventstore/testing';
import { eventually } from '@parlance/fixtures';
import { runWithContext } from '@parlance/observability';
import { checkEventStore, connectEventStore, type EventStoreConnection } from '../index.js';
import { lampEvents, lit, meta } from './lamps.js';

const admin = { username: 'admin', password: 'changeit' };
const user = { username: 'parlance', password: 'its-own' };
const directory = mkdtempSync(join(tmpdir(), 'parlance-test-'));
const faults = createEventStoreFaults();
const stores: EventStoreConnection[] = [];

const connect = (url: string, deadlineMs?: number): EventStoreConnection => {
  const store = connectEventStore({
    ...{ url: new Secret(url), name: 'test' },
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  stores.push(store);
  return store;
};
const append = (store: EventStoreConnection, stream: string) =>
  store.append(stream, [lit(1)], 'none', meta(), lampEvents);

afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  rmSync(directory, { recursive: true, force: true });
});

describe('an event store with TLS and users', () => {
  let server: RunningEventStore;
  const urlFor = (account: { username: string; password: string }, authority: string): string =>
    `esdb://${account.username}:${account.password}@127.0.0.1:${server.port}?tls=true&tlsCAFile=${join(directory, authority)}`;

  beforeAll(async () => {
    const tls = testCertificate();
    writeFileSync(join(directory, 'own.pem'), tls.cert);
    writeFileSync(join(directory, 'other.pem'), testCertificate().cert);
    const dataDir = join(directory, 'secured');
    server = await startEventStore({ dataDir, fsync: false, tls, credentials: admin, users: [user] });
  });
  afterAll(() => server.stop());

  it.each([
    ['a wrong password', () => urlFor({ ...user, password: 'wrong' }, 'own.pem'), 'password'],
    ['the certificate of another authority', () => urlFor(user, 'other.pem'), 'tlsCAFile'],
    [
      'the same, looking for a cluster',
      () => urlFor(user, 'other.pem').replace(':', '+discover:'),
      'tlsCAFile',
    ],
    ['a user who may not read $all', () => urlFor(user, 'own.pem'), 'reading $all'],
  ])('that meets %s says so, and what to do', async (_name, url, told) => {
    const checking = checkEventStore(connect(url()));
    await expect(checking).rejects.toMatchObject({
      name: 'ShownReason',
      message: expect.stringContaining(told),
    });
  });

  it('refuses commands with 503, because the operator can mend it while we run', async () => {
    const store = connect(urlFor({ ...user, password: 'wrong' }, 'own.pem'));
    await expect(append(store, `lamp-${randomUUID()}`)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it('serves a user of its own once that may read $all', async () => {
    const store = connect(urlFor(user, 'own.pem'));
    await append(store, `lamp-${randomUUID()}`);
    const byAdmin = EventStoreDBClient.connectionString(urlFor(admin, 'own.pem'));
    await byAdmin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', user.username] } });
    await byAdmin.dispose();
    await expect(checkEventStore(store)).resolves.toBeUndefined();
  });
});

describe('an event store of a cluster', () => {
  let server: RunningEventStore;
  let one: EventStoreConnection;
  let discovered: EventStoreConnection;

  beforeAll(async () => {
    server = await startEventStore({ dataDir: join(directory, 'open'), fsync: false, faults });
    // Far longer than an answer that comes at once can take on a busy machine.
    one = connect(server.connectionString, 60_000);
    discovered = connect(server.connectionString.replace('esdb:', 'esdb+discover:'), 800);
  });
  afterEach(() => faults.clear());
  afterAll(() => server.stop());

  it('that is asked over TLS and does not speak it says so', async () => {
    const store = connect(server.connectionString.replace('tls=false', 'tls=true'));
    await expect(checkEventStore(store)).rejects.toThrow('does not speak TLS');
  });

  it.each(['none', 'lost'])(
    'without a leader (%s) says so, and answers commands with 503 at once',
    async (mode) => {
      const stream = `lamp-${randomUUID()}`;
      await one.ping();
      faults.set({ target: 'leader', mode });
      const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 };
      const began = performance.now();
      await expect(one.read(stream, lampEvents)).rejects.toMatchObject(refused);
      await expect(append(one, stream)).rejects.toMatchObject(refused);
      expect(performance.now() - began).toBeLessThan(30_000);
      await expect(checkEventStore(one)).rejects.toThrow('no leader');
      faults.clear();
      await expect(append(one, stream)).resolves.toMatchObject({ revision: 0n });
    },
  );

  it('is asked again at the leader when a node is not the leader, for reads and for appends', async () => {
    const stream = `lamp-${randomUUID()}`;
    faults.set({ target: 'leader', mode: 'elsewhere', times: 1 });
    await expect(append(one, stream)).resolves.toMatchObject({ revision: 0n });
    faults.set({ target: 'leader', mode: 'elsewhere', times: 1 });
    await expect(one.read(stream, lampEvents)).resolves.toMatchObject({ revision: 0n });
  });

  it('is given up in time when discovery finds no leader, and nothing is stored afterwards', async () => {
    const late = `lamp-${randomUUID()}`;
    faults.set({ target: 'leader', mode: 'none' });
    const began = performance.now();
    await expect(append(discovered, late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - began).toBeLessThan(20_000);
    faults.clear();
    await eventually(() => append(discovered, `lamp-${randomUUID()}`));
    await expect(one.read(late, lampEvents)).resolves.toMatchObject({ revision: 'none' });
  });

  it('that says nothing is given up before the caller of a request is', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const store = connect(`esdb://127.0.0.1:${port}?tls=false`);
    let callerGivesUp: NodeJS.Timeout | undefined;
    const caller = new Promise((_, reject) => {
      callerGivesUp = setTimeout(() => reject(new Error('the caller gave up first')), 1_000);
    });
    const deadline = Date.now() + 1_000;
    const asking = runWithContext({ requestId: 'r', deadline }, () => store.read('lamp-1', lampEvents));
    await expect(Promise.race([asking, caller])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    clearTimeout(callerGivesUp);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
});
