// The features that this server refuses although a real one has them: with an error, never with a false success.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, type Db, Decimal128, MongoClient } from 'mongodb';
import { type MongoServer, startMongo } from './server.js';

let dataDir: string;
let server: MongoServer;
let client: MongoClient;
let db: Db;
let rows: Collection;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
  server = await startMongo({ dataDir });
  client = new MongoClient(server.url);
  db = client.db('d');
  rows = db.collection('rows');
  await rows.insertOne({ a: [1, 2], amount: Decimal128.fromString('0.1') });
});
afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a refusal', () => {
  it.each<[string, number, () => Promise<unknown>]>([
    ['a collection that exists', 48, () => db.createCollection('rows')],
    ['a capped collection', 72, () => db.createCollection('capped', { capped: true, size: 4096 })],
    ['a validator', 72, () => db.createCollection('valid', { validator: { a: 1 } })],
    ['a view', 72, () => db.createCollection('view', { viewOn: 'rows', pipeline: [] })],
    ['a text index', 72, () => rows.createIndex({ a: 'text' })],
    ['an index that expires documents', 67, () => rows.createIndex({ a: 1 }, { expireAfterSeconds: 1 })],
    ['a collation', 72, () => rows.find({}, { collation: { locale: 'en' } }).toArray()],
    ['a positional projection', 2, () => rows.find({ a: 1 }, { projection: { 'a.$': 1 } }).toArray()],
    ['code from a client', 2, () => rows.find({ $where: 'true' }).toArray()],
    ['$out', 40324, () => rows.aggregate([{ $out: 'elsewhere' }]).toArray()],
    ['a change stream', 40573, () => rows.aggregate([{ $changeStream: {} }]).toArray()],
    ['arithmetic on Decimal128', 14, () => rows.updateOne({}, { $inc: { amount: 1 } })],
    ['a key that is too long', 17280, () => rows.insertOne({ _id: 'x'.repeat(2_000) as never })],
    ['a snapshot', 123, () => rows.find({}, { readConcern: { level: 'snapshot' } }).toArray()],
    ['more members than one', 2, () => rows.insertOne({}, { writeConcern: { w: 2 } })],
  ])('meets %s with code %i', async (_, code, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code });
  });

  it('leaves nothing behind', async () => {
    expect(await rows.countDocuments()).toBe(1);
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['rows']);
    expect(await rows.indexes()).toHaveLength(1);
  });
});
