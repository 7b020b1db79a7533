// A fresh place beside the platform: engines of its own on loopback, with empty schemas of every service. It ends without a trace.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { startPostgres } from '@parlance/engines';
import { startEventStore } from '@parlance/fake-eventstore';
import { startMongo } from '@parlance/fake-mongodb';
import { startS3 } from '@parlance/fake-s3';
import * as gateway from '@parlance/gateway';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { administer, createDatabase, type Database, migrate, provisionService } from '@parlance/postgres';

export interface Place {
  readonly adminUrl: string;
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** An empty bucket. */
  readonly storage: ObjectStorage;
  /** Connection string of a service's role. */
  urlOf(schema: string): string;
  /** The administrator; this role can leave out triggers. */
  readonly admin: Database;
  close(): Promise<void>;
}

const root = new URL('../../../../', import.meta.url);

const migrationsFolder = (schema: string): URL => {
  const workspace = schema === 'gateway' ? schema : `services/${schema.replaceAll('_', '-')}`;
  const folder = new URL(`${workspace}/migrations/`, root);
  if (!existsSync(folder)) throw new Error(`this release has no service for the schema ${schema}`);
  return folder;
};

const migrateSchema = async (url: string, schema: string, names: readonly string[]): Promise<void> => {
  if (schema === 'gateway') return gateway.prepareAccounts(new Secret(url));
  const db = createDatabase({ url: new Secret(url), applicationName: 'drill', max: 1 });
  try {
    const framework = names.some((name) => name.startsWith('framework/'));
    await migrate(db, { directory: migrationsFolder(schema), framework });
  } finally {
    await db.end();
  }
};

/** Makes the schemas, each with the migrations of this release. @param schemas their migrations at the source */
export const prepareSchemas = async (
  place: Place,
  schemas: Readonly<Record<string, { readonly migrations: readonly string[] }>>,
): Promise<void> => {
  for (const [schema, { migrations }] of Object.entries(schemas)) {
    const { password } = new URL(place.urlOf(schema));
    await provisionService(place.admin, { role: schema, schema, password });
    await migrateSchema(place.urlOf(schema), schema, migrations);
  }
};

const bucket = 'drill';

const startStorage = async (folder: string) => {
  const keys = {
    accessKeyId: randomBytes(8).toString('hex'),
    secretAccessKey: randomBytes(16).toString('hex'),
  };
  const s3 = await startS3({ ...keys, dataDir: join(folder, 's3'), buckets: [bucket] });
  const storage = connectObjectStorage({
    OBJECT_STORAGE_URL: s3.url,
    OBJECT_STORAGE_REGION: 'us-east-1',
    OBJECT_STORAGE_BUCKET: bucket,
    OBJECT_STORAGE_ACCESS_KEY_ID: keys.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: new Secret(keys.secretAccessKey),
  });
  if (storage === undefined) throw new Error('an address makes a storage');
  const stop = async (): Promise<void> => {
    storage.close();
    await s3.stop();
  };
  return { storage, stop };
};

/** Starts the engines of the place in an empty folder. */
export const openPlace = async (folder: string): Promise<Place> => {
  const started: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  const password = randomBytes(16).toString('hex');
  try {
    const postgres = await startPostgres({
      ...{
        dataDir: join(folder, 'postgres'),
        logFile: join(folder, 'postgres.log'),
        password,
        durable: false,
      },
    });
    started.push(() => postgres.stop());
    const eventStore = await startEventStore({ dataDir: join(folder, 'eventstore'), fsync: false });
    started.push(() => eventStore.stop());
    const mongo = await startMongo({ dataDir: join(folder, 'mongodb') });
    started.push(() => mongo.stop());
    const { storage, stop: stopStorage } = await startStorage(folder);
    started.push(stopStorage);
    const admin = administer({ url: new Secret(postgres.adminUrl), applicationName: 'drill' });
    started.push(() => admin.end());
    return {
      adminUrl: postgres.adminUrl,
      eventStoreUrl: eventStore.connectionString,
      mongoUrl: mongo.url,
      storage,
      admin,
      urlOf: (schema) => {
        const url = new URL(postgres.adminUrl);
        url.username = schema;
        url.password = password;
        return url.href;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
