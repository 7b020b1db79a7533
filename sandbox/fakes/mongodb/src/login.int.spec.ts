// Logging in, through the official driver: with the right password, a wrong one, none, and where no login is needed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, MongoServerError } from 'mongodb';
import type { Credentials } from './scram.js';
import { type MongoServer, startMongo } from './server.js';

const owner: Credentials = { username: 'parlance,=1', password: 'ﬁne pässword %' };
let dataDir: string;
let server: MongoServer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
});
afterEach(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Writes and reads one document as this user; gives the error's or the document's essence. */
async function use(auth?: Credentials): Promise<unknown> {
  const client = new MongoClient(server.url, auth === undefined ? {} : { auth });
  try {
    await client.db('d').collection('rows').insertOne({ a: 1 });
    return await client.db('d').collection('rows').countDocuments();
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

describe('with credentials', () => {
  beforeEach(async () => {
    server = await startMongo({ dataDir, credentials: owner });
  });

  it('the right password opens the door, on every connection of a pool', async () => {
    expect(await use(owner)).toBe(1);
    const client = new MongoClient(server.url, { auth: owner, maxPoolSize: 5 });
    const inserts = Array.from({ length: 20 }, (_, n) => client.db('d').collection('rows').insertOne({ n }));
    await Promise.all(inserts);
    await client.close();
  });

  it.each([
    ['a wrong password', { ...owner, password: 'guessed' }],
    ['an unknown user', { ...owner, username: 'nobody' }],
  ])('%s is AuthenticationFailed', async (_, auth) => {
    const error = await use(auth);
    expect(error).toBeInstanceOf(MongoServerError);
    expect(error).toMatchObject({ code: 18, codeName: 'AuthenticationFailed' });
  });

  it('another mechanism is AuthenticationFailed', async () => {
    const client = new MongoClient(server.url, { auth: owner, authMechanism: 'SCRAM-SHA-1' });
    await expect(client.connect()).rejects.toMatchObject({ code: 18 });
    await client.close();
  });

  it('without a login there is a greeting and nothing else', async () => {
    expect(await use()).toMatchObject({ code: 13, codeName: 'Unauthorized' });
    const client = new MongoClient(server.url);
    expect(await client.db('admin').command({ hello: 1 })).toMatchObject({ ok: 1 });
    await expect(client.db('admin').command({ listDatabases: 1 })).rejects.toMatchObject({ code: 13 });
    await client.close();
  });
});

describe('without credentials', () => {
  it('nobody has to log in, and who tries is refused', async () => {
    server = await startMongo({ dataDir });
    expect(await use()).toBe(1);
    expect(await use(owner)).toMatchObject({ code: 18, codeName: 'AuthenticationFailed' });
  });
});
