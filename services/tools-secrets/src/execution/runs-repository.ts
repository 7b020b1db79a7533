// Executions in calls, in Postgres. An execution is noted before its request is sent. So a repeated execution is sent
// once, and an execution is found again after its process died.
import { assignedAfter, endOfRun, type ToolResult, valuesOf } from '@parlance/contracts';
import { stringifyJson } from '@parlance/json';
import { deleteInPieces, deleteOldEndedCalls, inLocked, type Tx, updateInPieces } from '@parlance/postgres';
import { countRunsOf } from '../tools/run-counts.js';

export type RunStatus = 'ok' | 'error' | 'timeout';

export interface RunKey {
  readonly organizationId: string;
  readonly callId: string;
  readonly executionId: string;
}

export interface StartedRun extends RunKey {
  readonly toolId: string;
  readonly toolName: string;
  readonly agentId: string;
  readonly requestHash: string;
  readonly startedAt: Date;
}

export interface EndedRun {
  readonly status: RunStatus;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly answer: ToolResult;
}

export interface KnownRun {
  readonly requestHash: string;
  readonly status: RunStatus | 'running';
  readonly answer: ToolResult | null;
}

/** Arguments as the record of a call shows them. */
type Shown = Readonly<Record<string, ToolResult['result']>>;

const keep = `insert into tool_runs (organization_id, call_id, execution_id, tool_id, tool_name, agent_id, request_hash,
  started_at, status, http_status, duration_ms, assignments, answer, shown_arguments)`;

const columnsOf = (run: StartedRun): unknown[] => [
  run.organizationId,
  run.callId,
  run.executionId,
  run.toolId,
  run.toolName,
  run.agentId,
  run.requestHash,
  run.startedAt,
];

/** False when this execution is known already. */
export const beginRun = async (tx: Tx, run: StartedRun): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'begin_tool_run',
    text: `${keep} values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', null, null, null, null, null) on conflict do nothing`,
    values: columnsOf(run),
  });
  return rowCount > 0;
};

/** Ends the run and counts it. False when the run has an end already. */
export const endRun = async (
  tx: Tx,
  run: StartedRun,
  ended: EndedRun,
  shownArguments: Shown,
): Promise<boolean> => {
  const assignments = Object.keys(ended.answer.assignments).length > 0 ? ended.answer.assignments : null;
  const { rowCount } = await tx.query({
    name: 'end_tool_run',
    text: `with ended as (
      ${keep} values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
      on conflict (organization_id, call_id, execution_id) do update
        set status = excluded.status, http_status = excluded.http_status, duration_ms = excluded.duration_ms,
          assignments = excluded.assignments, answer = excluded.answer,
          shown_arguments = excluded.shown_arguments
        where tool_runs.status = 'running'
      returning *)
      ${countRunsOf('ended')}`,
    values: [
      ...columnsOf(run),
      ended.status,
      ended.httpStatus,
      ended.durationMs,
      assignments === null ? null : stringifyJson(assignments),
      stringifyJson(ended.answer),
      stringifyJson(shownArguments),
    ],
  });
  return rowCount > 0;
};

export const findRun = async (
  tx: Tx,
  { organizationId, callId, executionId }: RunKey,
): Promise<KnownRun | undefined> => {
  const { rows } = await tx.query<KnownRun>({
    name: 'find_tool_run',
    text: `select request_hash as "requestHash", status, answer from tool_runs
           where organization_id = $1 and call_id = $2 and execution_id = $3`,
    values: [organizationId, callId, executionId],
  });
  return rows[0];
};

/** The variables that tools of the call assigned; of several values, the one of the run that ended last. */
export const assignedInCall = async (
  tx: Tx,
  organizationId: string,
  callId: string,
): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await tx.query<
    Pick<EndedOfCall, 'executionId' | 'startedAt' | 'durationMs' | 'assignments'>
  >({
    name: 'assigned_in_call',
    text: `select execution_id as "executionId", started_at as "startedAt", duration_ms as "durationMs", assignments
           from tool_runs
           where organization_id = $1 and call_id = $2 and assignments is not null order by started_at`,
    values: [organizationId, callId],
  });
  const assigned = rows.reduce(
    (known, { executionId, startedAt, durationMs, assignments }) =>
      assignedAfter(known, assignments ?? {}, {
        executionId,
        at: endOfRun(startedAt.toISOString(), durationMs),
      }),
    {},
  );
  return valuesOf(assigned);
};

/** An execution that has ended. Its answer and its arguments are null after ten minutes, and where its process died. */
export interface EndedOfCall {
  readonly executionId: string;
  readonly agentId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly startedAt: Date;
  readonly status: RunStatus;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly assignments: Readonly<Record<string, string>> | null;
  readonly answer: ToolResult | null;
  readonly shownArguments: Shown | null;
}

/** So many runs of a call are in its record at most. */
const mostOfCall = 1_000;

/** The executions of the call that have ended, the earliest first. */
export const endedInCall = async (
  tx: Tx,
  organizationId: string,
  callId: string,
): Promise<readonly EndedOfCall[]> => {
  const { rows } = await tx.query<EndedOfCall>({
    name: 'ended_in_call',
    text: `select execution_id as "executionId", agent_id as "agentId", tool_id as "toolId", tool_name as "toolName",
             started_at as "startedAt", status, http_status as "httpStatus", duration_ms as "durationMs", assignments,
             answer, shown_arguments as "shownArguments"
           from tool_runs where organization_id = $1 and call_id = $2 and status <> 'running'
           order by started_at, execution_id limit ${mostOfCall}`,
    values: [organizationId, callId],
  });
  return rows;
};

/** An execution whose process died, so that the outcome of its request is unknown. */
export type LostRun = Omit<StartedRun, 'requestHash'> & Omit<EndedRun, 'answer'>;

const atOnce = 200;
/** An execution that has been under way for longer than this was lost with its process. */
const lostAfterSeconds = 120;
const lost = {
  table: 'tool_runs',
  where: `status = 'running' and started_at < now() - interval '${lostAfterSeconds} seconds'`,
  order: 'started_at',
};

/**
 * Ends and counts executions that have been under way for longer than any execution can take. Their duration is the time
 * after which they count as lost.
 */
export const endLostRuns = async (tx: Tx): Promise<LostRun[]> => {
  const { rows } = await tx.query<LostRun>(
    `with ended as (
       update tool_runs set status = 'error', duration_ms = ${lostAfterSeconds * 1_000}
       where ${inLocked(lost, atOnce)}
       returning *),
     counted as (${countRunsOf('ended')})
     select organization_id as "organizationId", call_id as "callId", execution_id as "executionId",
       tool_id as "toolId", tool_name as "toolName", agent_id as "agentId", started_at as "startedAt",
       status, http_status as "httpStatus", duration_ms as "durationMs" from ended`,
  );
  return rows;
};

/** Deletes old rows: answers and arguments after ten minutes, executions and their counts after 25 hours, ended calls after four hours. */
export const pruneRuns = async (db: Tx): Promise<void> => {
  const unreadable = `answer is not null and started_at < now() - interval '10 minutes'`;
  await updateInPieces(db, {
    table: 'tool_runs',
    set: 'answer = null, shown_arguments = null',
    where: unreadable,
  });
  await deleteInPieces(db, { table: 'tool_runs', where: `started_at < now() - interval '25 hours'` });
  await deleteInPieces(db, { table: 'tool_run_counts', where: `hour < now() - interval '25 hours'` });
  await deleteOldEndedCalls(db);
};
