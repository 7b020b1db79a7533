// Adds changes to the stored rollups, in the transaction of the rows that they come from.
import type { Tx } from '@parlance/postgres';
import type { RollupChanges, RollupLedger } from './rollups-changes.js';
import { writeConcurrency } from './rollups-concurrency-write.js';
import { agentSumColumns, sumColumns } from './rollups-contribution.js';

const place = 'organization_id, grain, at';

const added = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

const addTo = (table: string, key: string, columns: readonly string[], parameter: string): string =>
  `insert into ${table} (${key}, ${columns.join(', ')})
   select ${key}, ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, ${parameter})
   on conflict (${key}) do update set ${added(table, columns)}`;

const addAll = `
  with sums as (${addTo('call_rollups', place, sumColumns, '$1')}),
       agents as (${addTo('agent_rollups', `${place}, agent_id`, agentSumColumns, '$2')})
  ${addTo('call_tallies', `${place}, kind, value`, ['calls'], '$3')}`;

const removeEmpty = (table: string, key: readonly string[], parameter: string): string =>
  `delete from ${table} t using jsonb_populate_recordset(null::${table}, ${parameter}) c
   where ${key.map((column) => `t.${column} = c.${column}`).join(' and ')} and t.calls = 0`;

const placeKey = ['organization_id', 'grain', 'at'];
const removeAllEmpty = `
  with sums as (${removeEmpty('call_rollups', placeKey, '$1')}),
       agents as (${removeEmpty('agent_rollups', [...placeKey, 'agent_id'], '$2')})
  ${removeEmpty('call_tallies', [...placeKey, 'kind', 'value'], '$3')}`;

const takenFrom = <T extends { readonly calls: number }>(changes: readonly T[]): T[] =>
  changes.filter(({ calls }) => calls < 0);

const writeSums = async (tx: Tx, { sums, agents, tallies }: RollupChanges): Promise<void> => {
  if (sums.length + agents.length + tallies.length === 0) return;
  const values = (rows: readonly (readonly object[])[]): string[] => rows.map((part) => JSON.stringify(part));
  await tx.query({ name: 'rollups-add', text: addAll, values: values([sums, agents, tallies]) });
  const taken = [takenFrom(sums), takenFrom(agents), takenFrom(tallies)];
  if (taken.some((rows) => rows.length > 0))
    await tx.query({ name: 'rollups-remove', text: removeAllEmpty, values: values(taken) });
};

/** Adds the gathered changes. */
export const writeRollups = async (tx: Tx, ledger: RollupLedger): Promise<void> => {
  const changes = ledger.changes();
  await writeSums(tx, changes);
  await writeConcurrency(tx, changes.concurrency);
};
