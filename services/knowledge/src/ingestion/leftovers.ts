// Deletes chunks and pages that nothing serves, in pieces. They belong to generations that were replaced or given up,
// or to a deleted source.
import { type Database, lockedRows, type Tx } from '@parlance/postgres';
import { forgetChunks } from '../search/index-chunks.js';
import type { CrashAt } from './crash-points.js';

const chunksAtOnce = 1_000;

/** Selects all generations of a source except the served one and the one under construction. */
const unused = `generation is distinct from
    (select generation from knowledge_sources where organization_id = $1 and id = $2)
  and generation is distinct from
    (select generation from knowledge_jobs where organization_id = $1 and source_id = $2)`;

const oldest = {
  table: 'knowledge_leftovers',
  columns: 'organization_id, source_id',
  where: 'true',
  order: 'since',
};

const deletePiece = async (tx: Tx, organizationId: string, sourceId: string): Promise<void> => {
  const key = [organizationId, sourceId];
  const { rows } = await tx.query<{ id: string; generation: number }>(
    `select id, generation from knowledge_chunks where organization_id = $1 and source_id = $2
       and generation = (select min(generation) from knowledge_chunks
         where organization_id = $1 and source_id = $2 and ${unused})
     order by id limit ${chunksAtOnce}`,
    key,
  );
  const [first] = rows;
  if (first !== undefined) {
    const { generation } = first;
    const ids = rows.map(({ id }) => id);
    await forgetChunks(tx, { organizationId, sourceId, generation, ids });
    await tx.query(
      `delete from knowledge_chunks
       where organization_id = $1 and source_id = $2 and generation = $3 and id = any($4)`,
      [...key, generation, ids],
    );
    return;
  }
  await tx.query(
    `delete from knowledge_pages where organization_id = $1 and source_id = $2 and ${unused}`,
    key,
  );
  await tx.query('delete from knowledge_leftovers where organization_id = $1 and source_id = $2', key);
};

/** Resolves with false when there is nothing to delete. */
export const deleteSome = async (db: Database, crash: CrashAt): Promise<boolean> => {
  const isFound = await db.transaction(
    async (tx) => {
      const { rows } = await tx.query<{ organization_id: string; source_id: string }>(lockedRows(oldest, 1));
      const [leftover] = rows;
      if (leftover === undefined) return false;
      await deletePiece(tx, leftover.organization_id, leftover.source_id);
      return true;
    },
    { timeoutMs: 30_000 },
  );
  if (isFound) crash('leftovers.afterPiece');
  return isFound;
};
