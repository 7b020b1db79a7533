// The documents of seeded calls in MongoDB, from which pages are answered. They are copies of the document of a real
// hand-over.
import { type AnyBulkWriteOperation, type Collection, type Db, MongoClient } from 'mongodb';
import pg from 'pg';

interface CallDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly revision: number;
  readonly state: string;
}

interface Row {
  readonly call_id: string;
  readonly organization_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly channel: string;
  readonly direction: string;
  readonly started_at: Date;
}

const perWrite = 1_000;

const copyFor = (row: Row, { revision, state }: CallDocument): CallDocument => {
  const call: { description: object } = JSON.parse(state);
  const {
    organization_id: organizationId,
    agent_id: agentId,
    agent_name: agentName,
    channel,
    direction,
  } = row;
  const description = {
    ...call.description,
    ...{ organizationId, agentId, agentName, channel, direction, startedAt: row.started_at.toISOString() },
  };
  return { _id: row.call_id, organizationId, revision, state: JSON.stringify({ ...call, description }) };
};

/** The collection that is read: a read model that was made anew has a number, and a pointer to it. */
const documentsIn = async (db: Db): Promise<Collection<CallDocument>> => {
  const pointers = db.collection<{ _id: string; generation: number }>('read_models');
  const generation = (await pointers.findOne({ _id: 'sealed-call-documents' }))?.generation ?? 0;
  return db.collection<CallDocument>(generation === 0 ? 'sealed_calls' : `sealed_calls_${generation}`);
};

/**
 * Writes documents for the newest calls under each of these conditions, as many as are read on the way to page 1,000.
 * @param conditions SQL over call_index
 */
export const seedDocuments = async (
  urls: { readonly postgres: string; readonly mongo: string },
  organizationId: string,
  conditions: readonly string[],
  each: number,
): Promise<number> => {
  const db = new pg.Client({ connectionString: urls.postgres });
  const mongo = new MongoClient(urls.mongo);
  await db.connect();
  try {
    const documents = await documentsIn(mongo.db('parlance'));
    const model = await documents.findOne({ organizationId });
    if (model === null) throw new Error('no call has been handed over that could be copied');
    const selects = conditions.map(
      (
        condition,
      ) => `(select call_id, organization_id, agent_id, agent_name, channel, direction, started_at from call_index
        where organization_id = $1 and ${condition} order by started_at desc, call_id desc limit $2)`,
    );
    const { rows } = await db.query<Row>(selects.join(' union '), [organizationId, each]);
    for (let from = 0; from < rows.length; from += perWrite) {
      const writes = rows.slice(from, from + perWrite).map((row): AnyBulkWriteOperation<CallDocument> => {
        const { _id, ...document } = copyFor(row, model);
        return { replaceOne: { filter: { _id }, replacement: document, upsert: true } };
      });
      await documents.bulkWrite(writes, { ordered: false });
    }
    return rows.length;
  } finally {
    await mongo.close();
    await db.end();
  }
};
