// Executions in calls. An execution that is asked for again under its id is not sent again. The second request waits
// for the first one and gets its answer.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ToolResult } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { histogram, toolExecutions } from '@parlance/metrics';
import type { RedactionOptions } from '@parlance/redaction';
import type { InFlight } from '@parlance/service-host';
import type { Parts } from '../parts.js';
import type { ToolRow } from '../tools/tool-record.js';
import type { Json } from './arguments.js';
import { recordRun, redacted } from './recording.js';
import { asResult, type Execution, type Run, type RunnerParts, runTool } from './runner.js';
import { beginRun, type EndedRun, findRun, type RunKey, type StartedRun } from './runs-repository.js';

const executions = histogram(toolExecutions);

export type ExecutionParts = RunnerParts &
  Pick<Parts, 'ids' | 'seals' | 'personalData'> & { readonly inFlight: InFlight };

/** An execution for an agent in a call. */
export interface CallExecution extends Execution {
  readonly callId: string;
  readonly agentId: string;
  /** The runtime named the execution, and may name it again. */
  readonly isNamed: boolean;
  /** What records hide, from the gateway. Null: nothing. Absent in the requests of a gateway of 0.2.0. */
  readonly redaction?: RedactionOptions | null | undefined;
}

export const failed = (result: Json, durationMs = 0): ToolResult => ({
  result,
  assignments: {},
  durationMs,
  isError: true,
});

const busy = 'Too many requests are under way. Try again in a moment, or go on without.';
const unknownOutcome =
  'This was asked for before, and what came of it is not known. Do not ask for it again.';

const hashOf = (tool: ToolRow, args: Execution['arguments']): string =>
  createHash('sha256')
    .update(stringifyJson([tool.id, args]))
    .digest('base64url');

const toResult = ({ result, assignments, durationMs, error }: Run): ToolResult => ({
  ...{ result, assignments, durationMs },
  isError: error !== null,
});

const statusOf = ({ error }: Run): EndedRun['status'] => {
  if (error === null) return 'ok';
  return error.code === 'TIMEOUT' ? 'timeout' : 'error';
};

const pollEveryMs = 200;
const graceMs = 5_000;

/** The answer of the execution that is under way or over. @throws AppError IDEMPOTENCY_KEY_REUSED */
const answerOfFirst = async (
  { db }: Pick<ExecutionParts, 'db'>,
  key: RunKey,
  requestHash: string,
  waitMs: number,
): Promise<ToolResult> => {
  const until = performance.now() + waitMs;
  for (;;) {
    const known = await findRun(db, key);
    if (known !== undefined && known.requestHash !== requestHash)
      throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (known?.answer) return known.answer;
    if (known?.status !== 'running' || performance.now() > until) return failed(unknownOutcome);
    await delay(pollEveryMs);
  }
};

/** Notes that the execution begins. False when the execution has begun before. */
const begin = async (parts: ExecutionParts, run: StartedRun, isNamed: boolean): Promise<boolean> => {
  try {
    return await beginRun(parts.db, run);
  } catch (err) {
    // Only an execution that the runtime named can be asked for twice; another one may be noted late.
    if (isNamed) throw err;
    parts.logger.warn({ err, executionId: run.executionId }, 'an execution is noted after its end');
    return true;
  }
};

const ran = async (
  parts: ExecutionParts,
  tool: ToolRow,
  execution: CallExecution,
): Promise<{ readonly answer: ToolResult; readonly ended: Omit<EndedRun, 'answer'> }> => {
  const startedAt = performance.now();
  try {
    const run = await runTool(parts, tool, execution);
    const { durationMs, httpStatus } = run;
    return { answer: toResult(run), ended: { status: statusOf(run), httpStatus, durationMs } };
  } catch (err) {
    const durationMs = Math.round(performance.now() - startedAt);
    parts.logger.warn({ err, toolId: tool.id, callId: execution.callId }, 'a tool could not be run');
    const answer = failed(asResult(err), durationMs);
    return { answer, ended: { status: 'error', httpStatus: null, durationMs } };
  }
};

/** Undefined where nothing is hidden. */
const redactionOf = async (
  { personalData, ids }: ExecutionParts,
  { place: { organizationId }, agentId, redaction }: CallExecution,
): Promise<RedactionOptions | undefined> =>
  redaction === undefined
    ? personalData.optionsFor({ organizationId, agentId, requestId: ids.next() })
    : (redaction ?? undefined);

/**
 * Runs a tool in a call. Every failure of the tool is a result, so that the call goes on.
 * @throws AppError IDEMPOTENCY_KEY_REUSED; SERVICE_UNAVAILABLE when a named execution cannot be noted
 */
export const executeInCall = async (
  parts: ExecutionParts,
  tool: ToolRow,
  execution: CallExecution,
): Promise<ToolResult> => {
  const { callId, agentId, executionId, isNamed, place } = execution;
  const key = { organizationId: place.organizationId, callId, executionId };
  const requestHash = hashOf(tool, execution.arguments);
  const known = isNamed ? await findRun(parts.db, key) : undefined;
  const waitMs = tool.document.timeoutMs + graceMs;
  if (known !== undefined) return answerOfFirst(parts, key, requestHash, waitMs);
  const leave = parts.inFlight.enter(place.organizationId, tool.id);
  if (leave === undefined) {
    executions.record(0, { 'parlance.result': 'busy' });
    return failed(busy);
  }
  try {
    const about = {
      toolId: tool.id,
      toolName: tool.name,
      agentId,
      requestHash,
      startedAt: parts.clock.now(),
    };
    const started: StartedRun = { ...key, ...about };
    if (!(await begin(parts, started, isNamed))) return await answerOfFirst(parts, key, requestHash, waitMs);
    const { answer, ended } = await ran(parts, tool, execution);
    executions.record(ended.durationMs / 1_000, { 'parlance.result': ended.status });
    const args = redacted(tool.document.parameters, execution.arguments);
    const recorded = recordRun(
      parts,
      started,
      { ...ended, answer },
      { args, redaction: () => redactionOf(parts, execution) },
    );
    // The answer waits for the record, because the next tool of the call may read these assignments. It does not wait
    // long, because an unreachable database must not hold up the call.
    await Promise.race([recorded, delay(recordedWithinMs, undefined, { ref: false })]);
    return answer;
  } finally {
    leave();
  }
};

const recordedWithinMs = 500;
