// The operator's quota of chunks of one organization. The sum is kept by a trigger (migrations/0006_chunk_totals.sql).
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';

const chunksOf = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ chunks: string }>(
    'select chunks from knowledge_totals where organization_id = $1',
    [organizationId],
  );
  return Number(rows[0]?.chunks ?? 0);
};

/** New sources add at least one chunk. @throws AppError QUOTA_REACHED */
export const refuseOverChunks = async (tx: Tx, organizationId: string, limit: number): Promise<void> => {
  const used = await chunksOf(tx, organizationId);
  if (used >= limit) throw new AppError('QUOTA_REACHED', { details: { quota: 'chunks', limit, used } });
};

export class ChunkQuotaReached extends Error {
  override readonly name = 'ChunkQuotaReached';
}

/**
 * Called in the transaction that has changed the chunks of a source. A source that did not grow stays, also above the quota.
 * @throws ChunkQuotaReached, which ends the transaction
 */
export const refuseGrowth = async (
  tx: Tx,
  organizationId: string,
  limit: number,
  chunks: { readonly before: number; readonly after: number },
): Promise<void> => {
  if (chunks.after > chunks.before && (await chunksOf(tx, organizationId)) > limit)
    throw new ChunkQuotaReached();
};
