// Every query over calls that is not about a single one, on the call index in Postgres.
import type { CallFacts, CallStatus, Channel, Direction, Outcome } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';
import { type SearchTerms, searchCondition } from './call-search.js';

export interface CallFilter {
  readonly agentId?: string | undefined;
  readonly status?: CallStatus | undefined;
  readonly direction?: Direction | undefined;
  readonly campaignId?: string | undefined;
  readonly channel?: Channel | undefined;
  readonly outcome?: Outcome | undefined;
  readonly search?: SearchTerms | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface IndexedCall {
  readonly callId: string;
  readonly revision: number;
  readonly startedAt: string;
}

export interface CallPage {
  /** The last call of the page before. */
  readonly after: Pick<IndexedCall, 'startedAt' | 'callId'> | undefined;
  readonly limit: number;
}

const equal = {
  agentId: 'agent_id',
  status: 'status',
  direction: 'direction',
  campaignId: 'campaign_id',
  channel: 'channel',
  outcome: 'outcome',
} as const satisfies Partial<Record<keyof CallFilter, string>>;

/** The statement of a page. Where something is searched for, the table of the search is read in the order of the log. */
export const callsStatement = (organizationId: string, filter: CallFilter, { after, limit }: CallPage) => {
  const values: unknown[] = [organizationId];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const search = filter.search === undefined ? undefined : searchCondition(filter.search, place);
  const first = search?.from === undefined ? 'c' : 's';
  const tables =
    search?.from === undefined
      ? 'call_index c'
      : `${search.from} s join call_index c on c.call_id = s.call_id and c.organization_id = s.organization_id`;
  const conditions = [`${first}.organization_id = $1`, 'c.deleted_at is null', ...(search?.conditions ?? [])];
  for (const [name, column] of Object.entries(equal)) {
    const value = filter[name as keyof typeof equal]; // a key of `equal`
    if (value !== undefined) conditions.push(`c.${column} = ${place(value)}`);
  }
  const at = `${first}.started_at`;
  if (filter.from !== undefined) conditions.push(`${at} >= ${place(filter.from)}::timestamptz`);
  if (filter.to !== undefined) conditions.push(`${at} <= ${place(filter.to)}::timestamptz`);
  if (after !== undefined) {
    const position = `(${place(after.startedAt)}::timestamptz, ${place(after.callId)})`;
    conditions.push(`(${at}, ${first}.call_id) < ${position}`);
  }
  const text = `select c.call_id, c.revision, ${at} from ${tables} where ${conditions.join(' and ')}
    order by ${at} desc, ${first}.call_id desc limit ${limit}`;
  return { text, values };
};

/** A page of calls, newest first. */
export const listCalls = async (
  tx: Tx,
  organizationId: string,
  filter: CallFilter,
  page: CallPage,
): Promise<IndexedCall[]> => {
  const { text, values } = callsStatement(organizationId, filter, page);
  const { rows } = await tx.query<{ call_id: string; revision: string; started_at: Date }>(text, values);
  return rows.map((row) => ({
    callId: row.call_id,
    revision: Number(row.revision),
    startedAt: row.started_at.toISOString(),
  }));
};

/** The newest call that had this room, in this organization. */
export const callOfRoomName = async (
  tx: Tx,
  organizationId: string,
  roomName: string,
): Promise<string | undefined> => {
  const { rows } = await tx.query<{ call_id: string }>({
    name: 'index-room',
    text: `select call_id from call_index
           where organization_id = $1 and room_name = $2 and deleted_at is null
           order by started_at desc limit 1`,
    values: [organizationId, roomName],
  });
  return rows[0]?.call_id;
};

export const liveCountOfAgent = async (tx: Tx, organizationId: string, agentId: string): Promise<number> => {
  const { rows } = await tx.query<{ live: number }>(
    `select count(*)::int as live from call_index
     where organization_id = $1 and agent_id = $2 and phase = 'live'`,
    [organizationId, agentId],
  );
  return rows[0]?.live ?? 0;
};

/** The name that the newest call of an agent told. */
export const calledName = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<string | undefined> => {
  const { rows } = await tx.query<{ name: string }>(
    'select name from called_agents where organization_id = $1 and agent_id = $2',
    [organizationId, agentId],
  );
  return rows[0]?.name;
};

interface FactsRow {
  readonly call_id: string;
  readonly agent_id: string;
  readonly outbound_call_id: string | null;
  readonly status: CallFacts['status'];
  readonly outcome: CallFacts['outcome'];
  readonly ended_reason: CallFacts['endedReason'];
  readonly answered_by: CallFacts['answeredBy'];
  readonly started_at: Date;
  readonly answered_at: Date | null;
  readonly ended_at: Date | null;
  readonly duration_ms: string | null;
  readonly cost_micros: string | null;
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

/** The progress of these calls; calls that are unknown or another organization's are left out. */
export const factsOf = async (
  tx: Tx,
  organizationId: string,
  callIds: readonly string[],
): Promise<CallFacts[]> => {
  const { rows } = await tx.query<FactsRow>(
    `select call_id, agent_id, outbound_call_id, status, outcome, ended_reason, answered_by, started_at, answered_at,
       ended_at, duration_ms, cost_micros
     from call_index where organization_id = $1 and call_id = any($2)`,
    [organizationId, callIds],
  );
  return rows.map((row) => ({
    callId: row.call_id,
    agentId: row.agent_id,
    outboundCallId: row.outbound_call_id,
    status: row.status,
    outcome: row.outcome,
    endedReason: row.ended_reason,
    answeredBy: row.answered_by,
    startedAt: row.started_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    durationSeconds: row.duration_ms === null ? null : Number(row.duration_ms) / 1_000,
    costMicros: numberOrNull(row.cost_micros),
  }));
};

const mostOpen = 1_000;

/** Calls of the organization that have not ended by the index, a thousand at the most. */
export const openCallIds = async (tx: Tx, organizationId: string): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `select call_id as id from call_index where organization_id = $1 and phase <> 'ended' limit ${mostOpen}`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
};
