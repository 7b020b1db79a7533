// The data that a restart keeps, and the fate of a server after another one has opened its directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { startMongo } from './server.js';

let dataDir: string;
let clients: MongoClient[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
});
afterEach(async () => {
  // Also after a failed test, so that nothing keeps the run alive.
  for (const client of clients) await client.close();
  clients = [];
  await rm(dataDir, { recursive: true, force: true });
});

async function connect(url: string): Promise<MongoClient> {
  const client = await new MongoClient(url).connect();
  clients.push(client);
  return client;
}

describe('a restart', () => {
  it('keeps documents, indexes and dropped collections as they were', async () => {
    const before = await startMongo({ dataDir });
    const client = await connect(before.url);
    const docs = client.db('d').collection('docs');
    await docs.createIndex({ n: 1 }, { unique: true });
    await docs.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ n })));
    await client
      .db('d')
      .collection('gone')
      .insertMany(Array.from({ length: 1_000 }, (_, n) => ({ n })));
    await client.db('d').dropCollection('gone');
    await client.close();
    await before.stop();

    const after = await startMongo({ dataDir });
    const again = await connect(after.url);
    const kept = again.db('d').collection('docs');
    expect(await kept.countDocuments()).toBe(1_000);
    await expect(kept.insertOne({ n: 5 })).rejects.toMatchObject({ code: 11000 });
    expect((await again.db('d').listCollections().toArray()).map(({ name }) => name)).toEqual(['docs']);
    await again.close();
    await after.stop();
  });

  it('fences off a server that still has the directory open', async () => {
    const older = await startMongo({ dataDir });
    const newer = await startMongo({ dataDir });
    const both = await Promise.all([older, newer].map(({ url }) => connect(url)));
    const [stale, fresh] = both.map((client) => client.db('d').collection<Document>('docs'));
    await fresh?.insertOne({ a: 1 });
    await expect(stale?.insertOne({ b: 1 })).rejects.toThrow(
      'another process has opened this data directory',
    );
    expect(await fresh?.countDocuments()).toBe(1);
    for (const client of both) await client.close();
    await older.stop();
    await newer.stop();
  });
});
