// What was acknowledged is there after a restart, and after the process was killed in the middle of its work.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { startMongo } from './server.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const WRITERS = 8;

let dataDir: string;
let running: ChildProcess | undefined;
let clients: MongoClient[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
});
afterEach(async () => {
  // Also after a failed test, so that nothing keeps the run alive.
  for (const client of clients) await client.close();
  clients = [];
  running?.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the built server as a process of its own; it prints its URL first. */
async function start(): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [MAIN, '--data-dir', dataDir, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  const [line] = await once(child.stdout, 'data');
  return { process: child, url: String(line).trim() };
}

async function connect(url: string): Promise<MongoClient> {
  const client = await new MongoClient(url, { serverSelectionTimeoutMS: 500 }).connect();
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

describe('kill -9 under load', () => {
  it('loses nothing that was acknowledged and leaves no index out of step', async () => {
    const acknowledged: string[] = [];
    const counters = new Map<number, number>();
    for (let round = 0; round < 3; round++) {
      const server = await start();
      const client = await connect(server.url);
      const db = client.db('d');
      await db.collection('rows').createIndex({ key: 1 }, { unique: true });
      await verify(db.collection('rows'), db.collection('counters'), acknowledged, counters);
      const enough = acknowledged.length + 400;
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; ; n++) {
          const key = `${round}-${writer}-${n}`;
          await db.collection('rows').insertOne({ key, padding: 'x'.repeat(200) });
          acknowledged.push(key);
          const filter = { _id: writer as never };
          const doc = await db
            .collection('counters')
            .findOneAndUpdate(filter, { $inc: { n: 1 } }, { upsert: true, returnDocument: 'after' });
          counters.set(writer, Number(doc?.n));
          if (acknowledged.length >= enough) server.process.kill('SIGKILL');
        }
      };
      await Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
      await client.close();
    }
    const server = await start();
    const client = await connect(server.url);
    const db = client.db('d');
    await verify(db.collection('rows'), db.collection('counters'), acknowledged, counters);
    await client.close();
    server.process.kill('SIGTERM');
    const [code] = await once(server.process, 'exit');
    expect(code).toBe(0);
  }, 60_000);
});

type Docs = ReturnType<ReturnType<MongoClient['db']>['collection']>;

async function verify(
  rows: Docs,
  counts: Docs,
  keys: string[],
  counters: Map<number, number>,
): Promise<void> {
  const stored = await rows.distinct('key');
  expect(keys.filter((key) => !new Set(stored).has(key))).toEqual([]);
  expect(await rows.countDocuments()).toBe(stored.length);
  // Each key is found through its index, too.
  expect(await rows.countDocuments({ key: { $in: keys } })).toBe(keys.length);
  for (const [writer, n] of counters) {
    const doc = await counts.findOne({ _id: writer as never });
    expect(Number(doc?.n)).toBeGreaterThanOrEqual(n);
  }
}
