// Executes a tool once, and notes the execution before and after. An execution that is asked for again under its id is not sent
// again. The second request waits for the first one and gets its answer.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { histogram, mcpExecutions } from '@parlance/metrics';
import type { ConnectionRow } from '../connections/connection-record.js';
import { refreshSoon } from '../connections/refresh.js';
import type { Parts } from '../parts.js';
import { asMcpFailure, type FailureReason, type McpFailure } from '../protocol/failures.js';
import type { ToolOutcome } from '../protocol/session.js';
import type { ToolRow } from '../tools/tool-record.js';
import {
  type Answer,
  beginExecution,
  type EndedExecution,
  type Failure,
  findExecution,
  type StartedExecution,
} from './executions-repository.js';
import { type Arguments, recordExecution, shownArguments } from './recording.js';
import { resultOf } from './results.js';

const executions = histogram(mcpExecutions);

export interface Execution {
  readonly connection: ConnectionRow;
  readonly tool: ToolRow;
  readonly arguments: Arguments;
  readonly executionId: string;
  /** The caller named the execution, and may ask for it again. */
  readonly isNamed: boolean;
  readonly agentId: string | null;
  readonly callId: string | null;
  readonly timeoutMs: number;
}

const graceMs = 5_000;
const pollEveryMs = 200;
const recordedWithinMs = 500;

const hashOf = ({ tool, callId, arguments: args }: Execution): string =>
  createHash('sha256')
    .update(stringifyJson([tool.id, callId, args]))
    .digest('base64url');

const codeOf = (reason: FailureReason): Failure['code'] => {
  switch (reason) {
    case 'timeout':
      return 'MCP_TIMEOUT';
    case 'auth_required':
      return 'MCP_AUTH_REQUIRED';
    case 'secret_missing':
      return 'SECRET_NOT_FOUND';
    case 'secret_not_allowed':
      return 'SECRET_ORIGIN_NOT_ALLOWED';
    case 'platform':
      return 'SERVICE_UNAVAILABLE';
    default:
      return 'MCP_SERVER_ERROR';
  }
};

/** Failures after which the state of the connection has to be looked at. */
const tellsOfState: ReadonlySet<FailureReason> = new Set([
  ...([
    'auth_required',
    'secret_missing',
    'secret_not_allowed',
    'address_not_allowed',
    'redirected',
    'unreachable',
    'tls',
  ] as const),
  ...(['session_lost', 'bad_status', 'bad_response'] as const),
]);

const send = (
  parts: Parts,
  { connection, tool, arguments: args, timeoutMs }: Execution,
): Promise<ToolOutcome> =>
  parts.sessions.use({ connectionId: connection.id, revision: connection.revision }, timeoutMs, {
    open: () => parts.openSession(connection, timeoutMs),
    work: (session, leftMs) =>
      session.callTool({ name: tool.name, inputSchema: tool.definition.inputSchema }, args, leftMs),
  });

const failed = (parts: Parts, { connection, tool, callId }: Execution, failure: McpFailure): Answer => {
  const { reason } = failure;
  const about = { connectionId: connection.id, toolId: tool.id, callId, reason };
  parts.logger.info({ err: failure, ...about }, 'an MCP tool could not be executed');
  if (tellsOfState.has(reason)) {
    refreshSoon(parts.db, connection.organization_id, connection.id).catch((err: unknown) =>
      parts.logger.warn({ err, ...about }, 'a refresh cannot be asked for'),
    );
  }
  return { failure: { code: codeOf(reason), reason } };
};

const ran = async (parts: Parts, execution: Execution): Promise<EndedExecution> => {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const result = resultOf(await send(parts, execution));
    const durationMs = elapsed();
    return {
      status: result.isError ? 'error' : 'ok',
      durationMs,
      answer: { result: { ...result, durationMs } },
    };
  } catch (error) {
    const answer = failed(parts, execution, asMcpFailure(error));
    const isLate = 'failure' in answer && answer.failure.code === 'MCP_TIMEOUT';
    return { status: isLate ? 'timeout' : 'error', durationMs: elapsed(), answer };
  }
};

const unknownOutcome: Answer = { failure: { code: 'MCP_SERVER_ERROR', reason: 'outcome_unknown' } };

/** The answer of the execution that is under way or over. @throws AppError IDEMPOTENCY_KEY_REUSED */
const answerOfFirst = async (parts: Parts, one: StartedExecution, timeoutMs: number): Promise<Answer> => {
  const until = performance.now() + timeoutMs + graceMs;
  for (;;) {
    const known = await findExecution(parts.db, one);
    if (known !== undefined && known.requestHash !== one.requestHash)
      throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (known?.answer) return known.answer;
    if (known?.status !== 'running' || performance.now() > until) return unknownOutcome;
    await delay(pollEveryMs);
  }
};

/**
 * Executes the tool once. Every outcome at the server is an answer.
 * @throws AppError RATE_LIMITED when too many executions are under way; IDEMPOTENCY_KEY_REUSED; SERVICE_UNAVAILABLE when the
 *   execution cannot be noted
 */
export const execute = async (parts: Parts, execution: Execution): Promise<Answer> => {
  const { connection, tool, executionId, isNamed, agentId, callId, timeoutMs } = execution;
  const { organization_id: organizationId, id: connectionId } = connection;
  const startedAt = parts.clock.now();
  const one: StartedExecution = {
    ...{ organizationId, executionId, connectionId, agentId, callId, startedAt },
    ...{ toolId: tool.id, toolName: tool.name, offeredName: tool.offered_name },
    requestHash: hashOf(execution),
    endsBy: new Date(startedAt.getTime() + timeoutMs),
  };
  if (isNamed && (await findExecution(parts.db, one)) !== undefined)
    return answerOfFirst(parts, one, timeoutMs);
  const leave = parts.inFlight.enter(organizationId, connectionId);
  if (leave === undefined) {
    executions.record(0, { 'parlance.result': 'busy' });
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: 5 });
  }
  try {
    if (!(await beginExecution(parts.db, one))) return await answerOfFirst(parts, one, timeoutMs);
    const ended = await ran(parts, execution);
    executions.record(ended.durationMs / 1_000, { 'parlance.result': ended.status });
    const recorded = recordExecution(parts, one, ended, shownArguments(execution.arguments));
    // The answer waits for the record, so that callers cannot outrun the database. It does not wait long, because an
    // unreachable database must not hold up a call.
    await Promise.race([recorded, delay(recordedWithinMs, undefined, { ref: false })]);
    return ended.answer;
  } finally {
    leave();
  }
};
