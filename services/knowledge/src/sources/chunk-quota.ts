// The operator's quota of chunks of one organization. The sum is kept by a trigger (migrations/0006_chunk_totals.sql).
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';

const chunksOf = async (
  tx: Tx,
  organizationId: string,
): Promise<{ readonly used: number; readonly set: number | undefined }> => {
  const { rows } = await tx.query<{ used: string | null; most: string | null }>(
    `select (select chunks from knowledge_totals where organization_id = $1) as used,
       (select most from storage_quotas where organization_id = $1 and quota = 'chunks') as most`,
    [organizationId],
  );
  const { used = null, most = null } = rows[0] ?? {};
  return { used: Number(used ?? 0), set: most === null ? undefined : Number(most) };
};

export const usedChunks = async (tx: Tx, organizationId: string): Promise<number> =>
  (await chunksOf(tx, organizationId)).used;

/**
 * New sources add at least one chunk.
 * @param usual the quota, unless the operator set another one for the organization
 * @throws AppError QUOTA_REACHED
 */
export const refuseOverChunks = async (tx: Tx, organizationId: string, usual: number): Promise<void> => {
  const { used, set: limit = usual } = await chunksOf(tx, organizationId);
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
  usual: number,
  chunks: { readonly before: number; readonly after: number },
): Promise<void> => {
  if (chunks.after <= chunks.before) return;
  const { used, set: limit = usual } = await chunksOf(tx, organizationId);
  if (used > limit) throw new ChunkQuotaReached();
};
