// Keeps the call index and the tables derived from its rows. The rows of a batch are read, carried on by its events,
// and written back in a few statements.
import type { Recorded } from '@parlance/event-sourcing';
import type { Tx } from '@parlance/postgres';
import type { CallEvent } from '../call/call-events.js';
import { type IndexRow, indexColumns, rowAfter } from './call-index-row.js';
import { RollupLedger } from './rollups-changes.js';
import { contributionOf } from './rollups-contribution.js';
import { writeRollups } from './rollups-write.js';

const upsert = `insert into call_index (call_id, ${indexColumns.join(', ')})
  select call_id, ${indexColumns.join(', ')} from jsonb_populate_recordset(null::call_index, $1)
  on conflict (call_id) do update set ${indexColumns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

interface AgentName {
  readonly organization_id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly named_at: string;
}

// Two calls that began in the same moment may be told in any order, so the name decides between them.
const isNewer = (a: AgentName, b: AgentName): boolean => {
  const [at, bt] = [Date.parse(a.named_at), Date.parse(b.named_at)];
  return at === bt ? a.name > b.name : at > bt;
};

const namesIn = (events: readonly Recorded<CallEvent>[]): AgentName[] => {
  const names = new Map<string, AgentName>();
  for (const { event } of events) {
    if (event.type !== 'CallDescribed') continue;
    const { organizationId, agentId, agentName, startedAt } = event.data;
    const told = { organization_id: organizationId, agent_id: agentId, name: agentName, named_at: startedAt };
    const key = `${agentId} ${organizationId}`;
    const known = names.get(key);
    if (known === undefined || isNewer(told, known)) names.set(key, told);
  }
  return [...names.values()];
};

const upsertNames = `insert into called_agents as known (organization_id, agent_id, name, named_at)
  select organization_id, agent_id, name, named_at from jsonb_populate_recordset(null::called_agents, $1)
  on conflict (organization_id, agent_id) do update set name = excluded.name, named_at = excluded.named_at
  where (excluded.named_at, excluded.name collate "C") > (known.named_at, known.name collate "C")`;

const writeNames = async (tx: Tx, events: readonly Recorded<CallEvent>[]): Promise<void> => {
  const names = namesIn(events);
  if (names.length > 0)
    await tx.query({ name: 'index-names', text: upsertNames, values: [JSON.stringify(names)] });
};

interface Found {
  readonly rows: ReadonlyMap<string, IndexRow>;
  /** Organizations that were removed, and whether all their rows are gone. */
  readonly removed: ReadonlyMap<string, { readonly isCleared: boolean }>;
}

interface FoundRow {
  readonly row: IndexRow | null;
  readonly removed: string | null;
  readonly is_cleared: boolean | null;
}

/** One statement, because it is made for every batch. */
const readRows = async (tx: Tx, events: readonly Recorded<CallEvent>[]): Promise<Found> => {
  const { rows } = await tx.query<FoundRow>({
    name: 'index-read',
    text: `select to_jsonb(c) as row, null as removed, null as is_cleared from call_index c where call_id = any($1)
           union all
           select null, organization_id, bool_and(next_clearing_at is null) from organization_closures
           where organization_id = any($2) and state = 'removed' group by organization_id`,
    values: [
      [...new Set(events.map(({ entityId }) => entityId))],
      [...new Set(events.map(({ metadata }) => metadata.organizationId))],
    ],
  });
  return {
    rows: new Map(rows.flatMap(({ row }) => (row === null ? [] : [[row.call_id, row]]))),
    removed: new Map(
      rows.flatMap(({ removed, is_cleared }) =>
        removed === null ? [] : [[removed, { isCleared: is_cleared === true }] as const],
      ),
    ),
  };
};

/**
 * The events of calls that have a row, or get one. While a removed organization is cleared away, a call that the index has not
 * seen yet still gets its row: by the rows the clearing finds the keys to destroy. Later nothing of the organization comes back.
 */
const concerned = (events: readonly Recorded<CallEvent>[], { rows, removed }: Found) => {
  if (removed.size === 0) return events;
  const begun = new Set(events.filter(({ revision }) => revision === 0n).map(({ entityId }) => entityId));
  return events.filter(({ entityId, metadata }) => {
    const removal = removed.get(metadata.organizationId);
    if (removal === undefined) return true;
    return !removal.isCleared && (rows.has(entityId) || begun.has(entityId));
  });
};

/** Applies a batch of events to the index and the rollups; events that the index holds already change nothing. */
export const projectIntoIndex = async (tx: Tx, batch: readonly Recorded<CallEvent>[]): Promise<void> => {
  const found = await readRows(tx, batch);
  const events = concerned(batch, found);
  if (events.length === 0) return;
  const calls = new Set(events.map(({ entityId }) => entityId));
  const before = new Map([...found.rows].filter(([callId]) => calls.has(callId)));
  const after = new Map(before);
  for (const recorded of events)
    after.set(recorded.entityId, rowAfter(after.get(recorded.entityId), recorded));
  const changed = [...after].filter(([callId, row]) => row !== before.get(callId));
  if (changed.length === 0) return;
  await tx.query({
    name: 'index-write',
    text: upsert,
    values: [JSON.stringify(changed.map(([, row]) => row))],
  });
  const ledger = new RollupLedger();
  for (const [callId, row] of changed)
    ledger.replace(contributionOf(before.get(callId)), contributionOf(row));
  await writeRollups(tx, ledger);
  await writeNames(tx, events);
};
