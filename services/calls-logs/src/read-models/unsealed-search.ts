// The search keys of release 0.2.0, in the clear. Nothing reads them; a replica of that release may still write them.
import type { Tx } from '@parlance/postgres';

/** Name of the checkpoint. */
export const unsealedSearchId = 'call-search';
export const unsealedSearchTables = ['call_numbers', 'call_names'] as const;

export const clearUnsealedSearch = async (tx: Tx, callIds: readonly string[]): Promise<void> => {
  for (const table of unsealedSearchTables)
    await tx.query(`delete from ${table} where call_id = any($1)`, [callIds]);
};
