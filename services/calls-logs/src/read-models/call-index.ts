// Every query over calls that is not about a single one, on the call index in Postgres.
import type { CallFacts, CallStatus, Direction } from '@parlance/contracts';
import type { Tx } from '@parlance/persistence';

export interface CallFilter {
  readonly agentId?: string | undefined;
  readonly status?: CallStatus | undefined;
  readonly direction?: Direction | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface IndexedCall {
  readonly callId: string;
  readonly revision: number;
  readonly startedAt: string;
}

/** A page of calls, newest first; `after` is the last call of the page before. */
export const listCalls = async (
  tx: Tx,
  organizationId: string,
  filter: CallFilter,
  page: { readonly after: Pick<IndexedCall, 'startedAt' | 'callId'> | undefined; readonly limit: number },
): Promise<IndexedCall[]> => {
  const values: unknown[] = [organizationId];
  const conditions = ['organization_id = $1', 'deleted_at is null'];
  const also = (condition: (...places: string[]) => string, ...given: unknown[]): void => {
    const places = given.map((value) => `$${values.push(value)}`);
    conditions.push(condition(...places));
  };
  if (filter.agentId !== undefined) also((at) => `agent_id = ${at}`, filter.agentId);
  if (filter.status !== undefined) also((at) => `status = ${at}`, filter.status);
  if (filter.direction !== undefined) also((at) => `direction = ${at}`, filter.direction);
  if (filter.from !== undefined) also((at) => `started_at >= ${at}::timestamptz`, filter.from);
  if (filter.to !== undefined) also((at) => `started_at <= ${at}::timestamptz`, filter.to);
  if (page.after !== undefined)
    also(
      (at, id) => `(started_at, call_id) < (${at}::timestamptz, ${id})`,
      page.after.startedAt,
      page.after.callId,
    );
  const { rows } = await tx.query<{ call_id: string; revision: string; started_at: Date }>(
    `select call_id, revision, started_at from call_index where ${conditions.join(' and ')}
     order by started_at desc, call_id desc limit ${page.limit}`,
    values,
  );
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

/** How far these calls have come; those that are unknown or somebody else's are left out. */
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
