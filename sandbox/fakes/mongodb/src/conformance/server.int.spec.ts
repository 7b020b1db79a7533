// Types survive, collections can be listed and dropped, and a missing feature is refused as a server refuses it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Binary, Decimal128, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'mongodb';
import { type ConformanceTarget, conformanceTarget } from './support.js';

let target: ConformanceTarget;

beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(() => target.close());

const VALUES = {
  text: 'Grüße, 你好 👋 \u0000 end',
  date: new Date('2026-01-02T03:04:05.678Z'),
  oldDate: new Date('1901-01-01T00:00:00Z'),
  long: Long.fromString('9223372036854775807'),
  negative: Long.fromString('-9007199254740995'),
  double: -1.5e-7,
  decimal: Decimal128.fromString('0.10'),
  uuid: new UUID(randomUUID()),
  bytes: new Binary(Buffer.from([0, 255, 254, 1]), 0),
  objectId: new ObjectId(),
  yes: true,
  nothing: null,
  list: [1, 'two', [3, { four: 4 }], null],
  nested: { a: { b: { c: [] } } },
  timestamp: new Timestamp({ t: 7, i: 3 }),
};

describe('BSON types', () => {
  const options = { promoteLongs: false, promoteBuffers: false } as const;

  it.each(Object.keys(VALUES))(
    '%s comes back as it went in, and is found by an index and without',
    async (name) => {
      const value = VALUES[name as keyof typeof VALUES];
      const types = target.db.collection(`types-${name}`);
      await types.insertOne({ value, _id: 1 as never });
      await types.updateOne({ _id: 1 as never }, { $set: { touched: true } });
      expect((await types.findOne({}, options))?.value).toEqual(value);
      // An array is found by itself as a whole.
      expect(await types.countDocuments({ value })).toBe(1);
      await types.createIndex({ value: 1 });
      expect(await types.countDocuments({ value })).toBe(1);
      expect(await types.countDocuments({ value: { $in: [value, 'else'] } })).toBe(1);
      expect(await types.countDocuments({ value: { $ne: value } })).toBe(0);
    },
  );

  it.each(['with', 'without'])('sort across types in the server order, %s an index', async (how) => {
    const sorted = target.db.collection(`sorted-${how}`);
    const values = [
      new MinKey(),
      null,
      Long.fromString('-9007199254740995'),
      -1.5,
      0,
      Long.fromString('9007199254740993'),
      Long.fromString('9007199254740995'),
      '',
      'B',
      'a',
      '\uffff',
      '😀',
      { a: 1 },
      { a: 2 },
      new Binary(Buffer.from([1]), 0),
      new ObjectId('000000000000000000000001'),
      false,
      true,
      new Date(-1),
      new Date(0),
      new Timestamp({ t: 1, i: 1 }),
      new MaxKey(),
    ];
    if (how === 'with') await sorted.createIndex({ v: 1 });
    await sorted.insertMany([...values].reverse().map((v) => ({ v, at: values.indexOf(v) })));
    const order = async (way: 1 | -1) => (await sorted.find().sort({ v: way }).toArray()).map(({ at }) => at);
    expect(await order(1)).toEqual(values.map((_, i) => i));
    expect(await order(-1)).toEqual(values.map((_, i) => values.length - 1 - i));
    expect(await sorted.countDocuments({ v: { $gt: 0 } })).toBe(2);
    expect(await sorted.countDocuments({ v: { $lt: 'a' } })).toBe(2);
  });
});

describe('the server', () => {
  it('lists what was created and forgets what was dropped', async () => {
    const db = target.client.db(`conformance-${randomUUID()}`);
    await db.createCollection('one');
    await db.collection('two').insertOne({ a: 1 });
    const names = async () => (await db.listCollections().toArray()).map(({ name }) => name).sort();
    expect(await names()).toEqual(['one', 'two']);
    const { databases } = await target.client.db().admin().listDatabases();
    expect(databases.map(({ name }) => name)).toContain(db.databaseName);
    await db.collection('two').drop();
    expect(await names()).toEqual(['one']);
    await db.collection('two').insertOne({ b: 1 });
    expect(await db.collection('two').countDocuments()).toBe(1);
    await db.dropDatabase();
    expect(await names()).toEqual([]);
  });

  it('answers ping and buildInfo, and CommandNotFound for what it does not know', async () => {
    expect(await target.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect(await target.db.command({ buildInfo: 1 })).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
    });
    await expect(target.db.command({ nonsense: 1 })).rejects.toMatchObject({
      code: 59,
      codeName: 'CommandNotFound',
      message: expect.stringContaining("no such command: 'nonsense'"),
    });
  });

  it('works inside a session and with majority write concern', async () => {
    const docs = target.db.collection('sessions', { writeConcern: { w: 'majority', journal: true } });
    await target.client.withSession(async (session) => {
      await docs.insertOne({ a: 1 }, { session });
      expect(await docs.findOne({ a: 1 }, { session })).toMatchObject({ a: 1 });
    });
  });

  it('takes unacknowledged writes', async () => {
    const docs = target.db.collection('unacknowledged');
    await docs.insertOne({ a: 1 }, { writeConcern: { w: 0 } });
    expect(await docs.findOneAndUpdate({ b: 1 }, { $set: { c: 1 } }, { upsert: true })).toBeNull();
  });

  it('refuses unknown operators, broken pipelines and dead cursors with their codes', async () => {
    const docs = target.db.collection('refusals');
    await docs.insertMany([{ a: 1 }, { a: 2 }, { a: 3 }]);
    await expect(docs.find({ a: { $nonsense: 1 } }).toArray()).rejects.toMatchObject({ code: 2 });
    await expect(docs.find({ $nonsense: [] }).toArray()).rejects.toMatchObject({ code: 2 });
    await expect(docs.aggregate([{ $nonsense: {} }]).toArray()).rejects.toMatchObject({ code: 40324 });
    const getMore = { getMore: Long.fromNumber(12345), collection: 'refusals' };
    await expect(target.db.command(getMore)).rejects.toMatchObject({ code: 43, codeName: 'CursorNotFound' });
    await expect(docs.find().skip(-1).toArray()).rejects.toMatchObject({ code: 51024 });
    await expect(docs.insertOne({ _id: [1] as never })).rejects.toMatchObject({ code: 53 });
  });

  it('refuses transactions, as a server that is no replica set does', async () => {
    const hello = await target.db.command({ hello: 1 });
    if (hello.setName !== undefined) return;
    const docs = target.db.collection('transactions');
    const attempt = target.client.withSession((session) =>
      session.withTransaction(() => docs.insertOne({ a: 1 }, { session })),
    );
    // The driver words the refusal its own way and keeps the server's.
    await expect(attempt).rejects.toHaveProperty('originalError.code', 20);
    expect(await docs.countDocuments()).toBe(0);
  });

  it('closes a cursor that is no longer wanted', async () => {
    const docs = target.db.collection('cursors');
    await docs.insertMany(Array.from({ length: 500 }, (_, n) => ({ n })));
    const cursor = docs.find().batchSize(10);
    await cursor.next();
    const { id } = cursor;
    await cursor.close();
    await expect(target.db.command({ getMore: id, collection: 'cursors' })).rejects.toMatchObject({
      code: 43,
    });
  });
});
