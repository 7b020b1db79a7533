// The server that the conformance suite talks to: the one at CONFORMANCE_MONGODB_URL, or the stand-in. The suite
// itself knows only a URL and the official driver, so that a real server must pass it as well.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { startMongo } from '../server.js';

/** A database of its own on the server under test. */
export interface ConformanceTarget {
  readonly client: MongoClient;
  readonly db: Db;
  /** Drops the database and stops the processes that were started. */
  close(): Promise<void>;
}

/** Connects with the driver's defaults. */
export async function conformanceTarget(): Promise<ConformanceTarget> {
  const given = process.env.CONFORMANCE_MONGODB_URL;
  const dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
  const server = given === undefined ? await startMongo({ dataDir }) : undefined;
  const client = await new MongoClient(server?.url ?? given ?? '').connect();
  const db = client.db(`conformance-${randomUUID()}`);
  const close = async (): Promise<void> => {
    await db.dropDatabase();
    await client.close();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { client, db, close };
}
