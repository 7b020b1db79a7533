// For tests of campaigns' files: a dialer's engines with an object storage, and without a media server. Nothing is dialled.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { startS3 } from '@parlance/fake-s3';
import { testEngines } from '@parlance/fixtures';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { type DialerWorld, startWorld } from './dialer-world.js';

export interface FileWorld extends DialerWorld {
  readonly postgresUrl: Secret;
  /** The variables with which a dialer reaches the object storage. */
  readonly storageVariables: Readonly<Record<string, string>>;
  /** The caller closes it. */
  connectStorage(): ObjectStorage;
  stopStorage(): Promise<void>;
  /** Stops everything that was started, and deletes the files. */
  remove(): Promise<void>;
}

const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
const bucket = 'parlance';

const livekit = {
  url: 'http://127.0.0.1:9',
  wsUrl: 'ws://127.0.0.1:9',
  apiKey: 'key',
  apiSecret: randomBytes(32).toString('base64'),
  trunkId: 'ST_test',
  ledger: async function* () {},
};

export const startFileWorld = async (): Promise<FileWorld> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-files-'));
  const engines = await testEngines({ postgres: true, nats: true, eventStore: true });
  const s3 = await startS3({ dataDir: directory, buckets: [bucket], ...account });
  const { url: postgresUrl } = await engines.databaseFor('outbound-dialer');
  const { natsUrl, eventStoreUrl } = engines;
  const world = await startWorld({ natsUrl, eventStoreUrl, postgresUrl, livekit });
  return {
    ...world,
    postgresUrl,
    storageVariables: {
      OBJECT_STORAGE_URL: s3.url,
      OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
      OBJECT_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
    },
    connectStorage: () => {
      const storage = connectObjectStorage({
        OBJECT_STORAGE_URL: s3.url,
        OBJECT_STORAGE_REGION: 'us-east-1',
        OBJECT_STORAGE_BUCKET: bucket,
        OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
        OBJECT_STORAGE_SECRET_ACCESS_KEY: new Secret(account.secretAccessKey),
      });
      if (storage === undefined) throw new Error('no storage');
      return storage;
    },
    stopStorage: () => s3.stop(),
    remove: async () => {
      await world.stop();
      await s3.stop();
      await engines.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
