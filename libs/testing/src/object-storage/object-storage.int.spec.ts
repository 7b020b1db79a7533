// The platform's own client of the object storage reaches its bucket, and says so when it does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { connectObjectStorage, type ObjectStorageOptions } from '@parlance/object-storage';
import { startS3 } from '@parlance/sandbox-s3';

const directory = mkdtempSync(join(tmpdir(), 'parlance-object-storage-'));
const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
let options: ObjectStorageOptions;
let stop: () => Promise<void>;

beforeAll(async () => {
  const s3 = await startS3({ dataDir: directory, buckets: ['files'], ...account });
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
