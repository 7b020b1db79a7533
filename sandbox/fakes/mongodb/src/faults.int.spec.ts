// Every fault through the official driver: the error that the caller sees, and the work that was done all the same.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient, MongoNetworkError, MongoNetworkTimeoutError } from 'mongodb';
import { createMongoFaults } from './faults.js';
import { type MongoServer, startMongo } from './server.js';

interface Row {
  readonly _id: number;
}

const faults = createMongoFaults();
let dataDir: string;
let server: MongoServer;
let client: MongoClient;
let rows: Collection<Row>;
let next = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
  server = await startMongo({ dataDir, faults });
  // The driver's own second try would hide the fault of the first.
  client = new MongoClient(server.url, { retryReads: false, retryWrites: false });
  rows = client.db('d').collection<Row>('rows');
});
afterEach(() => faults.clear());
afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Inserts a new document under a fault; resolves with the error, if any, and the number of stored documents with its id. */
async function insertUnder(mode: string, through = rows): Promise<{ error: unknown; stored: number }> {
  const _id = next++;
  faults.set({ target: 'write', mode, times: 1 });
  const error: unknown = await through.insertOne({ _id }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, stored: await rows.countDocuments({ _id }) };
}

describe('a write', () => {
  it.each([
    ['4xx', { code: 2, codeName: 'BadValue' }],
    ['5xx-before', { code: 11600, codeName: 'InterruptedAtShutdown' }],
    ['429', { code: 462, codeName: 'IngressRequestRateLimitExceeded' }],
  ])('that fails with %s is not stored', async (mode, expected) => {
    const { error, stored } = await insertUnder(mode);
    expect(error).toMatchObject(expected);
    expect(stored).toBe(0);
  });

  it.each(['refuse', 'reset-before'])('whose connection ends before it (%s) is not stored', async (mode) => {
    const { error, stored } = await insertUnder(mode);
    expect(error).toBeInstanceOf(MongoNetworkError);
    expect(stored).toBe(0);
  });

  it('that fails with 5xx-after is stored, and its error does not say so', async () => {
    const { error, stored } = await insertUnder('5xx-after');
    expect(error).toMatchObject({ code: 11600 });
    expect(error).not.toMatchObject({ errorLabels: expect.arrayContaining(['RetryableWriteError']) });
    expect(stored).toBe(1);
  });

  it('whose answer never comes (hang-after) is stored', async () => {
    // Only this write goes through an impatient client. The usual client reads the stored rows, because the impatient
    // one could run out of time there too.
    const impatient = new MongoClient(server.url, { retryWrites: false, socketTimeoutMS: 500 });
    const { error, stored } = await insertUnder('hang-after', impatient.db('d').collection<Row>('rows'));
    expect(error).toBeInstanceOf(MongoNetworkTimeoutError);
    expect(stored).toBe(1);
    await impatient.close();
  });

  it('whose connection is reset after it is stored', async () => {
    const { error, stored } = await insertUnder('reset-after');
    expect(error).toBeInstanceOf(MongoNetworkError);
    expect(stored).toBe(1);
  });

  it('that is slow is late by that much, and stored', async () => {
    const _id = next++;
    faults.set({ target: 'write', mode: 'slow', times: 1, ms: 100 });
    const begin = performance.now();
    await rows.insertOne({ _id });
    expect(performance.now() - begin).toBeGreaterThanOrEqual(99);
    expect(await rows.countDocuments({ _id })).toBe(1);
  });

  it('that is overloaded once succeeds by the second try that a driver makes', async () => {
    const patient = new MongoClient(server.url);
    faults.set({ target: 'write', mode: '429', times: 1 });
    await patient.db('d').collection<Row>('rows').insertOne({ _id: next++ });
    expect(faults.list().find(({ target }) => target === 'write')?.mode).toBe('ok');
    await patient.close();
  });
});

describe('switches', () => {
  it('fail what they name and nothing else', async () => {
    faults.set({ target: 'read', mode: '4xx' });
    await rows.insertOne({ _id: next++ });
    await client.db('d').command({ ping: 1 });
    await expect(rows.findOne({})).rejects.toMatchObject({ code: 2 });
    faults.clear();
    faults.set({ target: 'command', mode: '4xx' });
    await rows.findOne({});
    await expect(rows.createIndex({ a: 1 })).rejects.toMatchObject({ code: 2 });
  });

  it('fail a cursor half way', async () => {
    await rows.insertMany(Array.from({ length: 10 }, () => ({ _id: next++ })));
    const cursor = rows.find().batchSize(2);
    await cursor.next();
    await cursor.next();
    faults.set({ target: 'read', mode: '5xx-before', times: 1 });
    await expect(cursor.next()).rejects.toMatchObject({ code: 11600 });
  });

  it('do not count what a driver sends of its own accord', async () => {
    faults.set({ target: 'command', mode: '4xx', times: 1 });
    const another = await new MongoClient(server.url).connect();
    await another.close();
    await expect(client.db('d').command({ ping: 1 })).rejects.toMatchObject({ code: 2 });
  });
});
