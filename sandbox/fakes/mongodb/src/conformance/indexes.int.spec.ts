// Indexes are enforced, and give the same answers as no index at all.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Document, Filter, Sort } from 'mongodb';
import { type ConformanceTarget, conformanceTarget } from './support.js';

let target: ConformanceTarget;
let items: Collection;
let made = 0;

beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(() => target.close());
beforeEach(() => {
  items = target.db.collection(`items-${++made}`);
});

describe('a unique index', () => {
  it('refuses a second document with the same key, in insert, update and upsert', async () => {
    await items.createIndex({ workspace: 1, email: 1 }, { unique: true });
    await items.insertMany([
      { workspace: 'w', email: 'a' },
      { workspace: 'w', email: 'b' },
      { workspace: 'v', email: 'a' },
    ]);
    const taken = {
      code: 11000,
      keyPattern: { workspace: 1, email: 1 },
      keyValue: { workspace: 'w', email: 'a' },
      message: expect.stringContaining('index: workspace_1_email_1 dup key: { workspace: "w", email: "a" }'),
    };
    await expect(items.insertOne({ workspace: 'w', email: 'a' })).rejects.toMatchObject(taken);
    await expect(items.updateOne({ email: 'b' }, { $set: { email: 'a' } })).rejects.toMatchObject(taken);
    await expect(
      items.findOneAndUpdate({ _id: 1 as never }, { $set: { workspace: 'w', email: 'a' } }, { upsert: true }),
    ).rejects.toMatchObject({ code: 11000, codeName: 'DuplicateKey' });
    expect(await items.countDocuments()).toBe(3);
  });

  it('frees a key when its document goes or changes', async () => {
    await items.createIndex({ k: 1 }, { unique: true });
    await items.insertMany([{ k: 1 }, { k: 2 }]);
    await items.deleteOne({ k: 1 });
    await items.updateOne({ k: 2 }, { $set: { k: 3 } });
    await items.insertMany([{ k: 1 }, { k: 2 }]);
    expect((await items.distinct('k')).sort()).toEqual([1, 2, 3]);
  });

  it('counts missing as null, unless sparse or partial', async () => {
    await items.createIndex({ k: 1 }, { unique: true });
    await items.insertOne({ other: 1 });
    await expect(items.insertOne({ other: 2 })).rejects.toMatchObject({ code: 11000, keyValue: { k: null } });
    await items.dropIndexes();
    await items.createIndex({ k: 1 }, { unique: true, partialFilterExpression: { k: { $exists: true } } });
    await items.insertOne({ other: 2 });
    await items.insertOne({ k: 5 });
    await expect(items.insertOne({ k: 5 })).rejects.toMatchObject({ code: 11000 });
    expect(await items.countDocuments({ k: null })).toBe(2);
  });

  it('cannot be built over duplicates, and leaves nothing behind', async () => {
    await items.insertMany([{ k: 1 }, { k: 1 }]);
    await expect(items.createIndex({ k: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect((await items.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });
});

describe('an index', () => {
  it('can be created twice, listed and dropped, and clashes have their codes', async () => {
    expect(await items.createIndex({ a: 1, b: -1 })).toBe('a_1_b_-1');
    expect(await items.createIndex({ a: 1, b: -1 })).toBe('a_1_b_-1');
    await expect(items.createIndex({ c: 1 }, { name: 'a_1_b_-1' })).rejects.toMatchObject({ code: 86 });
    await expect(items.createIndex({ a: 1, b: -1 }, { name: 'x' })).rejects.toMatchObject({ code: 85 });
    expect(await items.indexes()).toMatchObject([
      { name: '_id_' },
      { key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
    ]);
    await items.dropIndex('a_1_b_-1');
    await expect(items.dropIndex('a_1_b_-1')).rejects.toMatchObject({ code: 27 });
    await expect(target.db.collection('absent').indexes()).rejects.toMatchObject({ code: 26 });
  });

  it('loses no document to a reader while it is being created', async () => {
    await items.insertMany(Array.from({ length: 2_000 }, (_, n) => ({ n })));
    for (let round = 0; round < 5; round++) {
      let created = false;
      const creating = items.createIndex({ n: 1 }).then(() => {
        created = true;
      });
      const missed: number[] = [];
      const read = async (n: number): Promise<void> => {
        while (!created) if ((await items.countDocuments({ n })) !== 1) missed.push(n);
      };
      await Promise.all([creating, ...Array.from({ length: 4 }, (_, n) => read(n))]);
      expect(missed).toEqual([]);
      await items.dropIndexes();
    }
  });

  it('finds by any element of an array, each document once', async () => {
    await items.createIndex({ tags: 1 });
    await items.insertMany([
      { n: 1, tags: ['a', 'b'] },
      { n: 2, tags: 'b' },
      { n: 3, tags: [] },
      { n: 4, tags: ['c'] },
    ]);
    const found = async (filter: Document) =>
      (await items.find(filter).sort({ n: 1 }).toArray()).map(({ n }) => n);
    expect(await found({ tags: 'b' })).toEqual([1, 2]);
    expect(await found({ tags: { $in: ['a', 'b'] } })).toEqual([1, 2]);
    expect(await found({ tags: { $gte: 'b' } })).toEqual([1, 2, 4]);
    expect(await found({ tags: ['a', 'b'] })).toEqual([1]);
    expect(await found({ tags: { $all: ['a', 'b'] } })).toEqual([1]);
  });
});

describe('a compound index over a workspace and a time', () => {
  const SIZE = 3_000;
  const at = (n: number) => new Date(1_700_000_000_000 + n * 1000);

  beforeEach(async () => {
    await items.createIndex({ workspace: 1, createdAt: -1, _id: -1 });
    const docs = Array.from({ length: SIZE }, (_, i) => ({
      _id: `c${(i * 7919) % SIZE}` as never,
      workspace: `w${i % 3}`,
      // Two of each time, so that paging needs its tie-breaker.
      createdAt: at(Math.floor(i / 6)),
      status: i % 2 === 0 ? 'done' : 'failed',
    }));
    await items.insertMany(docs);
  });

  it.each([1, -1] as const)('sorts and bounds in direction %i', async (way) => {
    const sort = { createdAt: way, _id: way };
    const page = await items.find({ workspace: 'w1' }).sort(sort).limit(20).toArray();
    const times = page.map(({ createdAt }) => Number(createdAt));
    expect(times).toEqual([...times].sort((a, b) => (a - b) * way));
    const range = { workspace: 'w1', createdAt: { $gte: at(100), $lt: at(110) } };
    expect(await items.countDocuments(range)).toBe(20);
    expect(await items.find(range).sort(sort).toArray()).toHaveLength(20);
    const either = { workspace: { $in: ['w0', 'w2', 'none'] }, createdAt: at(5) };
    expect(await items.countDocuments(either)).toBe(4);
  });

  it('pages by keyset through everything exactly once', async () => {
    const sort = { createdAt: -1, _id: -1 } as const;
    const seen: string[] = [];
    let filter: Filter<Document> = { workspace: 'w0' };
    for (;;) {
      const page = await items.find(filter).sort(sort).limit(97).toArray();
      seen.push(...page.map(({ _id }) => String(_id)));
      const last = page.at(-1);
      if (last === undefined) break;
      filter = {
        workspace: 'w0',
        $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, _id: { $lt: last._id } }],
      };
    }
    expect(seen).toHaveLength(SIZE / 3);
    expect(new Set(seen).size).toBe(SIZE / 3);
  });

  it.each<[Filter<Document>, Sort]>([
    [{ workspace: 'w1', status: 'done' }, { createdAt: 1 }],
    [{ createdAt: { $gt: at(490) } }, { _id: 1 }],
    [
      { workspace: { $gt: 'w0' }, createdAt: { $lte: at(3) } },
      { workspace: -1, createdAt: 1, _id: 1 },
    ],
    [
      { workspace: 'w1', createdAt: { $in: [at(1), at(2), at(9999)] } },
      { createdAt: -1, _id: -1 },
    ],
    [
      { $and: [{ workspace: 'w2' }, { createdAt: { $gte: at(10) } }, { createdAt: { $lt: at(12) } }] },
      { _id: -1 },
    ],
    [
      { workspace: { $ne: 'w1' }, createdAt: at(7) },
      { workspace: 1, _id: 1 },
    ],
    [{ workspace: /^w[01]$/, createdAt: at(7) }, { _id: 1 }],
    [{ workspace: 'w1', createdAt: null }, { _id: 1 }],
  ])('answers %j as a collection without it does', async (filter, sort) => {
    const bare = target.db.collection(`bare-${made}`);
    await bare.insertMany(await items.find().toArray());
    const expected = await bare.find(filter).sort(sort).toArray();
    expect(await items.find(filter).sort(sort).toArray()).toEqual(expected);
    expect(await items.countDocuments(filter)).toBe(expected.length);
  });
});
