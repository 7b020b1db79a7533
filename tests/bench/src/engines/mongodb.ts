// The throughput of the MongoDB stand-in: the official driver in this process, the server in one of its own.
import { fileURLToPath } from 'node:url';
import { type AnyBulkWriteOperation, type Collection, MongoClient } from 'mongodb';
import { describeMemory, type EngineRow, measure, memory, rowOf, startServer } from './engine-row.js';

const entry = fileURLToPath(new URL('../../../../sandbox/fakes/mongodb/dist/main.js', import.meta.url));
const stored = 1_000_000;
const organizations = 100;
const batchSize = 500;
const firstSecond = Date.UTC(2026, 0, 1) / 1_000;

/** A read model's document as the platform's projections write them: queried fields apart, the rest as text. */
interface CallDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly startedAt: Date;
  readonly revision: number;
  readonly state: string;
}

const text = JSON.stringify({ phase: 'ended', turns: 12, note: 'x'.repeat(300) });

const documentAt = (n: number, revision = 0): CallDocument => ({
  _id: `call-${String(n).padStart(9, '0')}`,
  organizationId: `org-${n % organizations}`,
  startedAt: new Date((firstSecond + n) * 1_000),
  revision,
  state: text,
});

const upsertOf = (n: number, revision: number): AnyBulkWriteOperation<CallDocument> => {
  const { _id, ...fields } = documentAt(n, revision);
  return {
    updateOne: { filter: { _id, revision: { $lt: revision } }, update: { $set: fields }, upsert: true },
  };
};

const seed = async (calls: Collection<CallDocument>, onProgress: (text: string) => void): Promise<void> => {
  await calls.createIndex({ organizationId: 1, startedAt: -1, _id: -1 });
  for (let n = 0; n < stored; n += 1_000) {
    await calls.insertMany(
      Array.from({ length: 1_000 }, (_, i) => documentAt(n + i)),
      { ordered: false },
    );
    if (n % 50_000 === 0) onProgress(`storing documents: ${(100 * n) / stored} %`);
  }
};

const writes = async (
  collection: (name: string) => Collection<CallDocument>,
  pid: number,
  seconds: number,
): Promise<EngineRow[]> => {
  const [inserted, bulk, single] = [collection('inserted'), collection('bulk'), collection('single')];
  let next = 0;
  const batch = <T>(make: (n: number) => T): T[] => Array.from({ length: batchSize }, () => make(next++));
  const inBatches = { pid, seconds, workers: 2, units: batchSize };
  const inserts = await measure(inBatches, () => inserted.insertMany(batch((n) => documentAt(n))));
  next = 0;
  const fresh = await measure(inBatches, () => bulk.bulkWrite(batch((n) => upsertOf(n, 1))));
  const known = Math.max(next, batchSize);
  next = 0;
  const again = await measure(inBatches, () =>
    bulk.bulkWrite(batch((n) => upsertOf(n % known, 2 + Math.floor(n / known)))),
  );
  next = 0;
  const singles = await measure({ pid, seconds, workers: 50 }, () => {
    const n = next++;
    const { _id, ...fields } = documentAt(n);
    return single.updateOne({ _id }, { $set: fields }, { upsert: true });
  });
  return [
    rowOf('insertMany of 500', inserts),
    rowOf('bulk upserts of 500, new documents', fresh),
    rowOf('bulk upserts of 500, changed documents', again, 'guarded by a revision'),
    rowOf('single upserts, 50 at once', singles),
  ];
};

const reads = async (calls: Collection<CallDocument>, pid: number, seconds: number): Promise<EngineRow[]> => {
  const sort = { startedAt: -1, _id: -1 } as const;
  const anyOf = (): CallDocument => documentAt(Math.floor(Math.random() * stored));
  const before = ({ organizationId, startedAt, _id }: CallDocument) => ({
    organizationId,
    $or: [{ startedAt: { $lt: startedAt } }, { startedAt, _id: { $lt: _id } }],
  });
  const byId = () => calls.findOne({ _id: anyOf()._id });
  const byIndex = () => {
    const { organizationId, startedAt } = anyOf();
    return calls.find({ organizationId, startedAt }).toArray();
  };
  const page = () => calls.find(before(anyOf())).sort(sort).limit(20).toArray();
  const rows: EngineRow[] = [];
  for (const [what, operation] of [
    ['find by _id', byId],
    ['indexed find', byIndex],
    ['keyset page of 20', page],
  ] as const) {
    const alone = await measure({ pid, seconds, workers: 1 }, operation);
    rows.push(rowOf(`${what} at ${stored.toLocaleString('en')} documents`, alone, 'one at a time'));
    const crowd = await measure({ pid, seconds, workers: 20 }, operation);
    rows.push(rowOf(`${what}, 20 at once`, crowd));
  }
  return rows;
};

/**
 * Starts the server on an empty directory, measures each operation for `seconds`, and throws all away. Storing the
 * documents takes most of a minute; `onProgress` is told.
 */
export const benchMongo = async ({
  seconds,
  onProgress = () => undefined,
}: {
  readonly seconds: number;
  readonly onProgress?: (text: string) => void;
}): Promise<EngineRow[]> => {
  const server = await startServer('mongodb', (dataDir) => [entry, '--data-dir', dataDir, '--port', '0']);
  const client = new MongoClient(server.url);
  try {
    const db = client.db('bench');
    const rows = await writes((name) => db.collection<CallDocument>(name), server.pid, seconds);
    await db.dropDatabase();
    const calls = db.collection<CallDocument>('calls');
    await seed(calls, onProgress);
    rows.push(...(await reads(calls, server.pid, seconds)));
    return [
      ...rows,
      { what: 'memory afterwards', perSecond: 0, note: describeMemory(await memory(server.pid)) },
    ];
  } finally {
    await client.close();
    await server.stop();
  }
};
