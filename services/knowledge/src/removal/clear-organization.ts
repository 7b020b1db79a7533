// Deletes the data of a removed organization: its sources with their chunks, its jobs, and its uploaded files.
import { forgetFiles, type ObjectStorage } from '@parlance/object-storage';
import { type Database, deleteOfOrganization } from '@parlance/postgres';
import { neverCrash } from '../ingestion/crash-points.js';
import { deleteSome } from '../ingestion/leftovers.js';
import { deleteSource } from '../sources/sources-repository.js';
import { documentsOf } from '../sources/uploads.js';

const sourcesAtOnce = 100;
const filesAtOnce = 500;

const deleteFiles = async (storage: ObjectStorage, organizationId: string): Promise<boolean> => {
  let deleted = 0;
  for await (const { key } of storage.list(documentsOf(organizationId))) {
    if (deleted >= filesAtOnce) return false;
    await storage.delete(key);
    deleted += 1;
  }
  return true;
};

/** Deletes a part; resolves with true when nothing is left. Chunks are deleted later, as for any deleted source. */
export const clearOrganization = async (
  { db, storage }: { readonly db: Database; readonly storage: ObjectStorage | undefined },
  organizationId: string,
): Promise<boolean> => {
  const { rows } = await db.query<{ id: string }>(
    `select id from knowledge_sources where organization_id = $1 limit ${sourcesAtOnce}`,
    [organizationId],
  );
  for (const { id } of rows) await db.transaction((tx) => deleteSource(tx, organizationId, id));
  if (rows.length === sourcesAtOnce) return false;
  if (storage !== undefined && !(await deleteFiles(storage, organizationId))) return false;
  await forgetFiles(db, organizationId);
  const tables = ['knowledge_turns', 'knowledge_totals', 'knowledge_agents'];
  if (!(await deleteOfOrganization(db, organizationId, tables))) return false;
  // Helps the round that deletes leftovers, because this function is called again at once.
  await deleteSome(db, neverCrash);
  const { rowCount } = await db.query(
    'select 1 from knowledge_leftovers where organization_id = $1 limit 1',
    [organizationId],
  );
  return rowCount === 0;
};
