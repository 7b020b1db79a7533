// The records that refer to objects of the storage. A record whose object is gone is of no use after a restore.
import type { Tx } from '@parlance/postgres';

/** Each key in a column `key`. An upload that no record has taken yet is none: it may never arrive. */
const references: readonly { readonly table: string; readonly text: string }[] = [
  {
    table: 'calls_logs.recordings',
    text: 'select storage_key as key from calls_logs.recordings where is_kept',
  },
  {
    table: 'knowledge.knowledge_sources',
    text: 'select file_key as key from knowledge.knowledge_sources where file_key is not null',
  },
  {
    table: 'outbound_dialer.campaigns',
    text: `select state -> 'created' ->> 'sourceFileKey' as key from outbound_dialer.campaigns
           where status = 'validating' and state -> 'created' ->> 'sourceFileKey' is not null`,
  },
];

/** The table of a record that refers to it, by the key of the object. A schema without the table refers to none. */
export const referredKeys = async (tx: Tx): Promise<ReadonlyMap<string, string>> => {
  const keys = new Map<string, string>();
  for (const { table, text } of references) {
    const there = await tx.query<{ is: boolean }>('select to_regclass($1) is not null as is', [table]);
    if (there.rows[0]?.is !== true) continue;
    const { rows } = await tx.query<{ key: string }>(text);
    for (const { key } of rows) keys.set(key, table);
  }
  return keys;
};
