// A server that asks for credentials, over TLS, because the client sends none without. Stand-in only.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessDeniedError, EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Collected, collect, counted, freshStream, numbersIn } from '../conformance/support.js';
import { type RunningEventStore, startEventStore } from '../index.js';
import { testCertificate } from '../test-certificate.js';

const credentials = { username: 'admin', password: 'changeit' };
let directory: string;
let server: RunningEventStore;
let rootCertificate: Buffer;
const clients: EventStoreDBClient[] = [];

const clientWith = (defaultUserCredentials?: { username: string; password: string }) => {
  const endpoint = { address: '127.0.0.1', port: server.port };
  const client = new EventStoreDBClient({ endpoint }, { rootCertificate }, defaultUserCredentials);
  clients.push(client);
  return client;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'eventstore-credentials-'));
  const tls = testCertificate();
  rootCertificate = Buffer.from(tls.cert);
  await writeFile(join(directory, 'ca.pem'), tls.cert);
  server = await startEventStore({ dataDir: join(directory, 'data'), credentials, tls });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  await server.stop();
  await rm(directory, { recursive: true });
});

describe('a client', () => {
  it('with the right credentials in its connection string does everything', async () => {
    const authority = `${credentials.username}:${credentials.password}@127.0.0.1:${server.port}`;
    const client = EventStoreDBClient.connectionString(
      `esdb://${authority}?tls=true&tlsCAFile=${join(directory, 'ca.pem')}`,
    );
    clients.push(client);
    const stream = freshStream();
    await client.appendToStream(stream, counted(0));
    await client.appendToStream(stream, counted(1), { credentials });
    expect(await numbersIn(client, stream)).toEqual([0, 1]);
  });

  it.each([
    ['a wrong password', { username: 'admin', password: 'changed' }],
    ['a wrong name', { username: 'ops', password: 'changeit' }],
    ['none', undefined],
  ])('with %s is denied reads, appends, deletes and subscriptions', async (_name, given) => {
    const client = clientWith(given);
    const attempts = [
      () => client.appendToStream('s', counted(0)),
      () => client.appendToStream('s', counted(0), { credentials: { username: 'admin', password: '' } }),
      () => numbersIn(client, 's'),
      () => collect(client.readAll()),
      () => client.deleteStream('s'),
      () => client.tombstoneStream('s'),
      () => new Collected(client.subscribeToAll()).caughtUp,
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toBeInstanceOf(AccessDeniedError);
  });

  it('without TLS cannot send any, and is denied', async () => {
    const open = await startEventStore({ dataDir: join(directory, 'open'), credentials });
    const client = EventStoreDBClient.connectionString(open.connectionString);
    await expect(client.appendToStream('s', counted(0), { credentials })).rejects.toBeInstanceOf(
      AccessDeniedError,
    );
    await client.dispose();
    await open.stop();
  });
});
