// Executions in Postgres. An execution is noted before its request is sent. So a repeated execution is sent once, and an
// execution is found again after its process died.
import type { McpExecuteResult } from '@parlance/contracts';
import { stringifyJson } from '@parlance/json';
import { deleteInPieces, deleteOldEndedCalls, inLocked, type Tx, updateInPieces } from '@parlance/postgres';

export type ExecutionStatus = 'ok' | 'error' | 'timeout';

export interface StartedExecution {
  readonly organizationId: string;
  readonly executionId: string;
  readonly connectionId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly offeredName: string;
  readonly agentId: string | null;
  readonly callId: string | null;
  readonly requestHash: string;
  readonly startedAt: Date;
  readonly endsBy: Date;
}

/** The outcome of an execution: a result, or the code of an error. */
export type Answer = { readonly result: McpExecuteResult } | { readonly failure: Failure };
export interface Failure {
  readonly code:
    | 'MCP_SERVER_ERROR'
    | 'MCP_TIMEOUT'
    | 'MCP_AUTH_REQUIRED'
    | 'SECRET_NOT_FOUND'
    | 'SECRET_ORIGIN_NOT_ALLOWED'
    | 'SERVICE_UNAVAILABLE';
  readonly reason: string;
}

export interface EndedExecution {
  readonly status: ExecutionStatus;
  readonly durationMs: number;
  readonly answer: Answer;
}

export interface KnownExecution {
  readonly requestHash: string;
  readonly status: ExecutionStatus | 'running';
  readonly answer: Answer | null;
}

/** False when this execution is known already. */
export const beginExecution = async (tx: Tx, one: StartedExecution): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'begin_mcp_execution',
    text: `insert into mcp_executions (organization_id, execution_id, connection_id, tool_id, tool_name, offered_name,
             agent_id, call_id, request_hash, status, started_at, ends_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', $10, $11) on conflict do nothing`,
    values: [
      ...[one.organizationId, one.executionId, one.connectionId, one.toolId, one.toolName, one.offeredName],
      ...[one.agentId, one.callId, one.requestHash, one.startedAt, one.endsBy],
    ],
  });
  return rowCount > 0;
};

/** False when the execution has an end already, or its connection is gone. */
export const endExecution = async (
  tx: Tx,
  one: StartedExecution,
  ended: EndedExecution,
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'end_mcp_execution',
    text: `update mcp_executions set status = $3, duration_ms = $4, answer = $5
           where organization_id = $1 and execution_id = $2 and status = 'running'`,
    values: [
      one.organizationId,
      one.executionId,
      ended.status,
      ended.durationMs,
      stringifyJson(ended.answer),
    ],
  });
  return rowCount > 0;
};

export const findExecution = async (
  tx: Tx,
  { organizationId, executionId }: Pick<StartedExecution, 'organizationId' | 'executionId'>,
): Promise<KnownExecution | undefined> => {
  const { rows } = await tx.query<KnownExecution>({
    name: 'find_mcp_execution',
    text: `select request_hash as "requestHash", status, answer from mcp_executions
           where organization_id = $1 and execution_id = $2`,
    values: [organizationId, executionId],
  });
  return rows[0];
};

/** An execution whose process died, so that the outcome of its request is unknown. */
export type LostExecution = Omit<StartedExecution, 'requestHash' | 'endsBy' | 'connectionId'> &
  Pick<EndedExecution, 'status' | 'durationMs'>;

const atOnce = 200;
const graceSeconds = 60;
const lost = {
  table: 'mcp_executions',
  where: `status = 'running' and ends_by < now() - interval '${graceSeconds} seconds'`,
  order: 'ends_by',
};

/** Ends executions that should have ended a while ago. Their duration is the time that has passed. */
export const endLostExecutions = async (tx: Tx): Promise<LostExecution[]> => {
  const { rows } = await tx.query<LostExecution>(
    `update mcp_executions set status = 'error',
       duration_ms = least(2147483647, extract(epoch from now() - started_at) * 1000)::int
     where ${inLocked(lost, atOnce)}
     returning organization_id as "organizationId", execution_id as "executionId", tool_id as "toolId",
       tool_name as "toolName", offered_name as "offeredName", agent_id as "agentId", call_id as "callId",
       started_at as "startedAt", status, duration_ms as "durationMs"`,
  );
  return rows;
};

/** Deletes answers after ten minutes, executions after thirty days, and ended calls after four hours. */
export const pruneExecutions = async (db: Tx): Promise<void> => {
  const table = 'mcp_executions';
  const unreadable = `answer is not null and started_at < now() - interval '10 minutes'`;
  await updateInPieces(db, { table, set: 'answer = null', where: unreadable });
  await deleteInPieces(db, { table, where: `started_at < now() - interval '30 days'` });
  await deleteOldEndedCalls(db);
};
