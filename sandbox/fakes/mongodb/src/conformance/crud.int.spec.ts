// The daily operations of applications: insert, update, upsert, delete, find, aggregate; through the official driver.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, Long, MongoBulkWriteError, MongoServerError } from 'mongodb';
import { type ConformanceTarget, conformanceTarget } from './support.js';

interface Call extends Document {
  _id: string;
}

let target: ConformanceTarget;
let calls: Collection<Call>;
let made = 0;

beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(() => target.close());
beforeEach(() => {
  calls = target.db.collection<Call>(`calls-${++made}`);
});

const failure = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('upserts guarded by a revision', () => {
  const save = (revision: number, status: string) =>
    calls.updateOne(
      { _id: 'a', revision: { $lt: revision } },
      { $set: { revision, status } },
      { upsert: true },
    );

  it('insert once, update when newer, and answer duplicate key when not', async () => {
    expect(await save(1, 'new')).toMatchObject({ upsertedId: 'a', upsertedCount: 1, matchedCount: 0 });
    expect(await save(2, 'newer')).toMatchObject({ upsertedCount: 0, matchedCount: 1, modifiedCount: 1 });
    const error = await failure(save(2, 'stale'));
    expect(error).toBeInstanceOf(MongoServerError);
    expect(error).toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 'a' } });
    expect(await calls.findOne({ _id: 'a' })).toEqual({ _id: 'a', revision: 2, status: 'newer' });
  });

  it('report only the refused ones of an unordered bulk write', async () => {
    await save(5, 'there');
    const write = (_id: string, revision: number) => ({
      updateOne: {
        filter: { _id, revision: { $lt: revision } },
        update: { $set: { revision } },
        upsert: true,
      },
    });
    const error = await failure(
      calls.bulkWrite([write('b', 1), write('a', 3), write('a', 6), write('c', 1)], { ordered: false }),
    );
    expect(error).toBeInstanceOf(MongoBulkWriteError);
    expect(error).toMatchObject({ code: 11000, result: { upsertedCount: 2, matchedCount: 1 } });
    expect(error).toHaveProperty('writeErrors.0.index', 1);
    expect(await calls.countDocuments()).toBe(3);
  });

  it('keep exactly one of many concurrent first writes', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => save(i + 1, `s${i}`)));
    expect(results.filter((result) => result.status === 'rejected').length).toBeLessThan(20);
    expect(await calls.findOne({ _id: 'a' })).toMatchObject({ revision: 20, status: 's19' });
  });
});

describe('updates', () => {
  const after = async (start: Document, change: Document, arrayFilters?: Document[]) => {
    await calls.insertOne({ ...start, _id: 'x' });
    await calls.updateOne({ _id: 'x' }, change, arrayFilters === undefined ? {} : { arrayFilters });
    const { _id, ...rest } = (await calls.findOne({ _id: 'x' })) ?? { _id: '' };
    return rest;
  };

  it.each([
    [
      '$set with a dotted path',
      { a: { b: 1 } },
      { $set: { 'a.c': 2, d: [1] } },
      { a: { b: 1, c: 2 }, d: [1] },
    ],
    ['$unset', { a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
    ['$inc on present and missing', { a: 1 }, { $inc: { a: 2, b: -1 } }, { a: 3, b: -1 }],
    ['$max and $min', { a: 5, b: 5 }, { $max: { a: 9 }, $min: { b: 9 } }, { a: 9, b: 5 }],
    [
      '$push with modifiers',
      { a: [3, 1] },
      { $push: { a: { $each: [2, 0], $sort: 1, $slice: 3 } } },
      { a: [0, 1, 2] },
    ],
    [
      '$addToSet',
      { a: [1, { x: 1 }] },
      { $addToSet: { a: { $each: [1, { x: 1 }, 2] } } },
      { a: [1, { x: 1 }, 2] },
    ],
    ['$pull by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
    ['$pop and $rename', { a: [1, 2], b: 1 }, { $pop: { a: 1 }, $rename: { b: 'c' } }, { a: [1], c: 1 }],
    [
      'an array element by index',
      { a: [{ n: 1 }, { n: 2 }] },
      { $set: { 'a.1.n': 7 } },
      { a: [{ n: 1 }, { n: 7 }] },
    ],
    ['every element', { a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
  ])('apply %s', async (_name, start, change, expected) => {
    expect(await after(start, change)).toEqual(expected);
  });

  it('apply only to the elements that the array filter picks', async () => {
    const start = { a: [{ n: 1 }, { n: 5 }] };
    expect(await after(start, { $set: { 'a.$[big].n': 0 } }, [{ 'big.n': { $gt: 3 } }])).toEqual({
      a: [{ n: 1 }, { n: 0 }],
    });
  });

  it('apply to the element that the query matched', async () => {
    await calls.insertOne({ _id: 'x', a: [{ n: 1 }, { n: 5 }] });
    await calls.updateOne({ _id: 'x', 'a.n': 5 }, { $set: { 'a.$.n': 6 } });
    expect(await calls.findOne()).toEqual({ _id: 'x', a: [{ n: 1 }, { n: 6 }] });
  });

  it('take $setOnInsert and the filter into what an upsert inserts', async () => {
    const change = { $set: { s: 1 }, $setOnInsert: { born: true } };
    await calls.updateOne({ _id: 'x', kind: 'k' }, change, { upsert: true });
    await calls.updateOne({ _id: 'x' }, { $set: { s: 2 }, $setOnInsert: { born: false } }, { upsert: true });
    expect(await calls.findOne()).toEqual({ _id: 'x', kind: 'k', s: 2, born: true });
  });

  it('count matched and modified apart', async () => {
    await calls.insertMany(['a', 'b', 'c'].map((_id, n) => ({ _id, n })));
    expect(await calls.updateMany({ n: { $gte: 1 } }, { $set: { n: 1 } })).toMatchObject({
      matchedCount: 2,
      modifiedCount: 1,
    });
    expect(await calls.replaceOne({ _id: 'a' }, { fresh: true })).toMatchObject({ modifiedCount: 1 });
    expect(await calls.findOne({ _id: 'a' })).toEqual({ _id: 'a', fresh: true });
  });

  it('keep 64-bit integers exact', async () => {
    await calls.insertOne({ _id: 'x', n: Long.fromString('9007199254740993') });
    await calls.updateOne({ _id: 'x' }, { $inc: { n: 2 } });
    const found = await calls.findOne({ n: Long.fromString('9007199254740995') }, { promoteLongs: false });
    expect(found?.n).toEqual(Long.fromString('9007199254740995'));
  });

  it.each<[number, Document]>([
    [66, { $set: { _id: 'other' } }],
    [14, { $inc: { text: 1 } }],
    [2, { $push: { text: 1 } }],
    [28, { $set: { 'text.inside': 1 } }],
    [40, { $set: { a: 1 }, $unset: { a: 1 } }],
    [9, { $nonsense: { a: 1 } }],
  ])('are refused with code %i and change nothing', async (code, change) => {
    await calls.insertOne({ _id: 'x', text: 'words' });
    expect(await failure(calls.updateOne({ _id: 'x' }, change))).toMatchObject({ code });
    expect(await calls.findOne()).toEqual({ _id: 'x', text: 'words' });
  });
});

describe('a bulk write', () => {
  it('of every kind counts each kind', async () => {
    await calls.insertMany(['a', 'b', 'c', 'd'].map((_id, n) => ({ _id, n })));
    const result = await calls.bulkWrite([
      { insertOne: { document: { _id: 'e', n: 4 } } },
      { updateOne: { filter: { _id: 'a' }, update: { $inc: { n: 10 } } } },
      { updateMany: { filter: { n: { $gte: 4 } }, update: { $set: { big: true } } } },
      { replaceOne: { filter: { _id: 'b' }, replacement: { _id: 'b', fresh: true } } },
      { updateOne: { filter: { _id: 'f' }, update: { $set: { n: 5 } }, upsert: true } },
      { deleteOne: { filter: { _id: 'c' } } },
      { deleteMany: { filter: { big: true } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 4,
      modifiedCount: 4,
      upsertedCount: 1,
      upsertedIds: { 4: 'f' },
      deletedCount: 3,
    });
    expect(await calls.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'b', fresh: true },
      { _id: 'd', n: 3 },
      { _id: 'f', n: 5 },
    ]);
  });

  it('in order ends at the first statement that fails', async () => {
    const inserts = ['a', 'b', 'a', 'c'].map((_id) => ({ insertOne: { document: { _id } } }));
    const error = await failure(calls.bulkWrite(inserts));
    expect(error).toMatchObject({ code: 11000, result: { insertedCount: 2 } });
    expect((await calls.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(['a', 'b']);
  });
});

describe('findOneAnd', () => {
  beforeEach(() => calls.insertMany([3, 1, 2].map((n) => ({ _id: `c${n}`, n }))));

  it('updates the first in sort order and gives the document before or after', async () => {
    const take = () =>
      calls.findOneAndUpdate({ taken: { $exists: false } }, { $set: { taken: true } }, { sort: { n: 1 } });
    expect([await take(), await take()]).toEqual([
      { _id: 'c1', n: 1 },
      { _id: 'c2', n: 2 },
    ]);
    const options = { returnDocument: 'after', projection: { n: 1 } } as const;
    expect(await calls.findOneAndUpdate({ _id: 'c3' }, { $inc: { n: 1 } }, options)).toEqual({
      _id: 'c3',
      n: 4,
    });
  });

  it('upserts, replaces and deletes', async () => {
    const options = { upsert: true, returnDocument: 'after' } as const;
    expect(await calls.findOneAndUpdate({ _id: 'new' }, { $set: { n: 9 } }, options)).toEqual({
      _id: 'new',
      n: 9,
    });
    expect(await calls.findOneAndReplace({ _id: 'new' }, { m: 1 }, options)).toEqual({ _id: 'new', m: 1 });
    expect(await calls.findOneAndDelete({ _id: 'new' })).toEqual({ _id: 'new', m: 1 });
    expect(await calls.findOneAndDelete({ _id: 'new' })).toBeNull();
  });
});

describe('reads', () => {
  beforeEach(async () => {
    await calls.insertMany(
      Array.from({ length: 5_000 }, (_, i) => ({
        _id: `id${String(i).padStart(5, '0')}`,
        n: i,
        group: i % 7,
      })),
    );
  });

  it('give every document once through a cursor of many batches', async () => {
    const ids = new Set<string>();
    for await (const { _id } of calls.find({}).batchSize(300)) ids.add(_id);
    expect(ids.size).toBe(5_000);
  });

  it('sort, skip, limit and project', async () => {
    const found = await calls.find({ group: 3 }).sort({ n: -1 }).skip(2).limit(2).project({ n: 1 }).toArray();
    expect(found).toEqual([
      { _id: 'id04980', n: 4980 },
      { _id: 'id04973', n: 4973 },
    ]);
    expect(await calls.findOne({ n: 1 }, { projection: { _id: 0, group: 0 } })).toEqual({ n: 1 });
  });

  it('count, list distinct values and aggregate', async () => {
    expect(await calls.countDocuments({ n: { $lt: 10 } })).toBe(10);
    expect(await calls.countDocuments({}, { skip: 10, limit: 100 })).toBe(100);
    expect(await calls.estimatedDocumentCount()).toBe(5_000);
    expect(await calls.distinct('group', { n: { $lt: 3 } })).toEqual([0, 1, 2]);
    const groups = calls.aggregate([
      { $match: { n: { $lt: 14 } } },
      { $group: { _id: '$group', total: { $sum: '$n' } } },
      { $sort: { _id: -1 } },
      { $limit: 1 },
    ]);
    expect(await groups.toArray()).toEqual([{ _id: 6, total: 19 }]);
  });

  it('delete one and many', async () => {
    expect(await calls.deleteOne({ group: 1 })).toMatchObject({ deletedCount: 1 });
    expect(await calls.deleteMany({ n: { $gte: 100 } })).toMatchObject({ deletedCount: 4_900 });
    expect(await calls.countDocuments()).toBe(99);
  });
});
