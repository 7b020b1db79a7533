// The cost of a query: a fitting index is used, and nothing is read that the answer does not need.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, type Filter, MongoClient, type Sort } from 'mongodb';
import { type MongoServer, startMongo } from './server.js';

interface Item extends Document {
  readonly _id: number;
}

const SIZE = 3_000;
const at = (n: number) => new Date(1_700_000_000_000 + n * 1000);

let dataDir: string;
let server: MongoServer;
let client: MongoClient;
let items: Collection<Item>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
  server = await startMongo({ dataDir });
  client = new MongoClient(server.url);
  items = client.db('d').collection<Item>('items');
  await items.createIndex({ workspace: 1, createdAt: -1, _id: -1 });
  // Two of each time in a workspace, so that paging needs its tie-breaker.
  const item = (i: number) => ({ _id: i, workspace: `w${i % 3}`, createdAt: at(Math.floor(i / 6)) });
  await items.insertMany(Array.from({ length: SIZE }, (_, i) => item(i)));
});
afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function explained(filter: Filter<Item>, sort: Sort, limit = 0): Promise<Document> {
  return items.find(filter).sort(sort).limit(limit).explain('executionStats');
}

async function examined(filter: Filter<Item>, sort: Sort, limit = 0): Promise<number> {
  return Number((await explained(filter, sort, limit)).executionStats.totalDocsExamined);
}

describe('a compound index', () => {
  it('is what the plan says', async () => {
    const plan = await explained({ workspace: 'w1' }, { createdAt: -1, _id: -1 }, 20);
    expect(plan.queryPlanner.winningPlan).toMatchObject({
      stage: 'FETCH',
      inputStage: { stage: 'IXSCAN', indexName: 'workspace_1_createdAt_-1__id_-1' },
    });
    expect((await explained({ other: 1 }, {})).queryPlanner.winningPlan).toEqual({ stage: 'COLLSCAN' });
  });

  it.each([1, -1] as const)('serves equality and a sort in direction %i by the page alone', async (way) => {
    expect(await examined({ workspace: 'w1' }, { createdAt: way, _id: way }, 20)).toBeLessThanOrEqual(21);
  });

  it('serves a range and $in without looking at more', async () => {
    const range = { workspace: 'w1', createdAt: { $gte: at(100), $lt: at(110) } };
    expect(await examined(range, { createdAt: -1 })).toBe(20);
    const either = { workspace: { $in: ['w0', 'w2', 'none'] }, createdAt: at(5) };
    expect(await examined(either, {})).toBe(4);
  });

  it('starts a keyset page where the last one ended', async () => {
    for (const n of [0, 250, 499]) {
      const filter = {
        workspace: 'w0',
        $or: [{ createdAt: { $lt: at(n) } }, { createdAt: at(n), _id: { $lt: n * 6 + 3 } }],
      };
      expect(await examined(filter, { createdAt: -1, _id: -1 }, 97)).toBeLessThanOrEqual(100);
    }
  });
});

describe('a cursor', () => {
  it.each(['index', 'collection'])(
    'whose %s is dropped fails, rather than end as if that were all',
    async (what) => {
      const doomed = client.db('d').collection(`doomed-${what}`);
      await doomed.createIndex({ n: 1 });
      await doomed.insertMany(Array.from({ length: 5_000 }, (_, n) => ({ n })));
      const cursor = doomed.find({ n: { $gte: 0 } }).batchSize(1_000);
      await cursor.next();
      if (what === 'index') await doomed.dropIndex('n_1');
      else await doomed.drop();
      await expect(cursor.toArray()).rejects.toMatchObject({ code: 175, codeName: 'QueryPlanKilled' });
    },
  );
});
