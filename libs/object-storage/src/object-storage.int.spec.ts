// The platform's own client of the object storage: its work with the bucket, and its errors when the work fails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createS3Faults, startS3 } from '@parlance/fake-s3';
import {
  connectObjectStorage,
  deleteUnusedUploads,
  type ObjectStorage,
  type ObjectStorageOptions,
} from './index.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-object-storage-'));
const faults = createS3Faults();
const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
let options: ObjectStorageOptions;
let stop: () => Promise<void>;

beforeAll(async () => {
  const s3 = await startS3({ dataDir: directory, buckets: ['files'], faults, ...account });
  options = {
    OBJECT_STORAGE_URL: s3.url,
    OBJECT_STORAGE_REGION: 'us-east-1',
    OBJECT_STORAGE_BUCKET: 'files',
    OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: new Secret(account.secretAccessKey),
  };
  stop = () => s3.stop();
});
afterAll(async () => {
  await stop();
  rmSync(directory, { recursive: true, force: true });
});

const ping = async (change: Partial<ObjectStorageOptions> = {}): Promise<void> => {
  const storage = connectObjectStorage({ ...options, ...change });
  try {
    await storage?.ping();
  } finally {
    storage?.close();
  }
};

it('works with its bucket and its key', async () => {
  await expect(ping()).resolves.toBeUndefined();
});

it.each([
  ['a bucket that is not there', { OBJECT_STORAGE_BUCKET: 'nothing' }],
  ['a secret that is not its own', { OBJECT_STORAGE_SECRET_ACCESS_KEY: new Secret('other') }],
  ['an address where nobody listens', { OBJECT_STORAGE_URL: 'http://127.0.0.1:9' }],
])('does not with %s', async (_, change) => {
  await expect(ping(change)).rejects.toThrow();
});

it('is not there without an address', () => {
  expect(connectObjectStorage({ ...options, OBJECT_STORAGE_URL: undefined })).toBeUndefined();
});

const withStorage = async <T>(
  use: (storage: ObjectStorage) => Promise<T>,
  change: Partial<ObjectStorageOptions> = {},
): Promise<T> => {
  const storage = connectObjectStorage({ ...options, ...change });
  if (storage === undefined) throw new Error('no storage');
  try {
    return await use(storage);
  } finally {
    storage.close();
  }
};

const csvOf = (bytes: number) => ({ contentType: 'text/csv', bytes, expiresInSeconds: 60 });
/** Six bytes. */
const csv = csvOf(6);
const upload = (url: string, body: string, contentType = 'text/csv') =>
  fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType } });

describe('an upload', () => {
  it('goes to the address that was given out, and is found, read, listed and deleted under its key', () =>
    withStorage(async (storage) => {
      const key = 'org/o1/batches/1/people & more.csv';
      expect((await upload(await storage.presignPut(key, csv), 'phone\n')).status).toBe(200);
      expect(await storage.head(key)).toEqual({ key, bytes: 6, modifiedAt: expect.any(Date) });
      const body = await storage.open(key);
      expect(body && (await text(body))).toBe('phone\n');
      const keys: string[] = [];
      for await (const object of storage.list('org/o1/')) keys.push(object.key);
      expect(keys).toEqual([key]);
      await storage.delete(key);
      await storage.delete(key);
      expect(await storage.head(key)).toBeUndefined();
      expect(await storage.open(key)).toBeUndefined();
    }));

  it('has to be of the content type and the size that the address was made for', () =>
    withStorage(async (storage) => {
      const url = await storage.presignPut('org/o1/batches/2/a.csv', csv);
      expect((await upload(url, 'phone\n', 'text/html')).status).toBe(403);
      expect((await upload(url, 'phone\n+')).status).toBe(403);
      expect((await upload(url, 'phone')).status).toBe(403);
      expect(await storage.head('org/o1/batches/2/a.csv')).toBeUndefined();
    }));

  it('goes to where browsers reach the storage', () =>
    withStorage(
      async (storage) =>
        expect(await storage.presignPut('a.csv', csv)).toMatch(/^https:\/\/files\.example\/files\/a\.csv\?/),
      { OBJECT_STORAGE_PUBLIC_URL: 'https://files.example' },
    ));
});

describe('uploads that nothing uses', () => {
  const bodies = {
    'org/o2/batches/1/old.csv': 'phone\n',
    'org/o2/batches/2/used.csv': 'phone\n',
    'org/o2/knowledge/1/old.pdf': 'other',
    'org/o2/recordings/c1/recording.wav': 'sound',
    'org/o3/recordings/c2/recording.wav': 'sound',
    'org/o4/batches/3/old.csv': 'phone\n',
    'org/stray': 'no folder',
  };
  const later = { now: () => new Date(Date.now() + 26 * 3_600_000) };

  it('are deleted in every organization, without a look at files of another kind', () =>
    withStorage(async (storage) => {
      for (const [key, body] of Object.entries(bodies))
        expect((await upload(await storage.presignPut(key, csvOf(body.length)), body)).status).toBe(200);
      const folders: string[] = [];
      for await (const folder of storage.folders('org/')) folders.push(folder);
      expect(folders).toEqual(expect.arrayContaining(['org/o2/', 'org/o3/', 'org/o4/']));

      const listed: string[] = [];
      const watched: Pick<ObjectStorage, 'folders' | 'list' | 'delete'> = {
        folders: (parent) => storage.folders(parent),
        delete: (key) => storage.delete(key),
        async *list(prefix) {
          for await (const object of storage.list(prefix)) {
            listed.push(object.key);
            yield object;
          }
        },
      };
      const asked: string[] = [];
      const counted = new Map<string, readonly string[]>();
      const expire = (clock: { now: () => Date }) =>
        deleteUnusedUploads({
          storage: watched,
          clock,
          kind: 'batches',
          counts: {
            organizations: async () => ['o5'],
            reconcile: async (organizationId, prefix, files) => {
              counted.set(organizationId, [prefix, ...files.map(({ key, bytes }) => `${key} ${bytes}`)]);
            },
          },
          isUsed: async ({ organizationId, key }) => {
            asked.push(`${organizationId} ${key}`);
            return key.endsWith('used.csv');
          },
        });
      expect(await expire({ now: () => new Date() })).toBe(0);
      expect(asked).toEqual([]);
      expect(await expire(later)).toBe(2);
      expect(asked).toContain('o4 org/o4/batches/3/old.csv');
      expect(counted.get('o2')).toEqual(['org/o2/batches/', 'org/o2/batches/2/used.csv 6']);
      // Its files are gone, and are counted no more.
      expect(counted.get('o5')).toEqual(['org/o5/batches/']);
      expect(listed).not.toHaveLength(0);
      expect(listed.filter((key) => !key.includes('/batches/'))).toEqual([]);
      const left: string[] = [];
      for await (const { key } of storage.list('org/')) left.push(key);
      expect(left).toEqual(
        Object.keys(bodies).filter((key) => !key.endsWith('batches/1/old.csv') && !key.startsWith('org/o4/')),
      );
    }));
});

it('says that the storage is not available, whatever is asked of it', () =>
  withStorage(
    async (storage) => {
      const unavailable = expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' });
      await expect(storage.head('a')).rejects.toEqual(unavailable);
      await expect(storage.open('a')).rejects.toEqual(unavailable);
      await expect(storage.delete('a')).rejects.toEqual(unavailable);
      for (const listing of [storage.list('a'), storage.folders('a/')])
        await expect(listing[Symbol.asyncIterator]().next()).rejects.toEqual(unavailable);
    },
    { OBJECT_STORAGE_URL: 'http://127.0.0.1:9' },
  ));

describe('a storage that answers 503 SlowDown', () => {
  afterEach(() => faults.clear());

  const asked: [target: string, ask: (storage: ObjectStorage) => Promise<unknown>][] = [
    ['head', (storage) => storage.head('a')],
    ['get', (storage) => storage.open('a')],
    ['delete', (storage) => storage.delete('a')],
    ['list', (storage) => storage.list('a')[Symbol.asyncIterator]().next()],
  ];
  /** Asks for everything at once, because each waits between its tries. */
  const askAll = (storage: ObjectStorage, times: number) => {
    for (const [target] of asked) faults.set({ target, mode: '429', times });
    return Promise.allSettled(asked.map(([, ask]) => ask(storage)));
  };
  const usedUp = () => faults.list().filter(({ target, mode }) => target !== 'put' && mode !== 'ok');

  it('is asked again, three times in all, before the caller hears of it', () =>
    withStorage(async (storage) => {
      const answers = await askAll(storage, 2);
      expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 'fulfilled'));
      expect(usedUp()).toEqual([]);
    }));

  it('for longer is not available, and the caller is told to come back later than usual', () =>
    withStorage(async (storage) => {
      const answers = await askAll(storage, 3);
      const reason = { code: 'STORAGE_UNAVAILABLE', status: 503, retryAfterSeconds: 5 };
      expect(answers).toMatchObject(asked.map(() => ({ status: 'rejected', reason })));
      expect(usedUp()).toEqual([]);
    }));
});
