// Executes a tool once, and notes the execution before and after. An execution that is asked for again under its id is not sent
// again. The second request waits for the first one and gets its answer.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { histogram, mcpExecutions } from '@parlance/metrics';
import type { Host, InFlight } from '@parlance/service-host';
import type { ConnectionRow } from '../connections/connection-record.js';
import type { Connector } from '../connections/connector.js';
import { refreshSoon } from '../connections/refresh.js';
import { asMcpFailure, type FailureReason, type McpFailure } from '../protocol/failures.js';
import type { ToolOutcome } from '../protocol/session.js';
import type { Sessions } from '../protocol/sessions.js';
import type { ToolRow } from '../tools/tool-record.js';
import {
  type Answer,
  beginExecution,
  type EndedExecution,
  type Failure,
  findExecution,
  type StartedExecution,
} from './executions-repository.js';
import { type Arguments, type RecordingOptions, recordExecution, shownArguments } from './recording.js';
import { resultOf } from './results.js';

const durations = histogram(mcpExecutions);

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

const unknownOutcome: Answer = { failure: { code: 'MCP_SERVER_ERROR', reason: 'outcome_unknown' } };

export interface ExecutionsOptions extends RecordingOptions {
  readonly host: Pick<Host, 'db' | 'clock' | 'ids' | 'seals' | 'logger'>;
  readonly sessions: Sessions;
  readonly connector: Pick<Connector, 'open'>;
  readonly inFlight: InFlight;
}

export class Executions {
  readonly #options: ExecutionsOptions;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
  }

  /**
   * Executes the tool once. Every outcome at the server is an answer.
   * @throws AppError RATE_LIMITED when too many executions are under way; IDEMPOTENCY_KEY_REUSED; SERVICE_UNAVAILABLE when the
   *   execution cannot be noted
   */
  async execute(execution: Execution): Promise<Answer> {
    const { host, inFlight } = this.#options;
    const { connection, tool, executionId, isNamed, agentId, callId, timeoutMs } = execution;
    const { organization_id: organizationId, id: connectionId } = connection;
    const startedAt = host.clock.now();
    const one: StartedExecution = {
      ...{ organizationId, executionId, connectionId, agentId, callId, startedAt },
      ...{ toolId: tool.id, toolName: tool.name, offeredName: tool.offered_name },
      requestHash: hashOf(execution),
      endsBy: new Date(startedAt.getTime() + timeoutMs),
    };
    if (isNamed && (await findExecution(host.db, one)) !== undefined)
      return this.#answerOfFirst(one, timeoutMs);
    const leave = inFlight.enter(organizationId, connectionId);
    if (leave === undefined) {
      durations.record(0, { 'parlance.result': 'busy' });
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: 5 });
    }
    try {
      if (!(await beginExecution(host.db, one))) return await this.#answerOfFirst(one, timeoutMs);
      const ended = await this.#run(execution);
      durations.record(ended.durationMs / 1_000, { 'parlance.result': ended.status });
      const recorded = recordExecution(this.#options, one, ended, shownArguments(execution.arguments));
      // The answer waits for the record, so that callers cannot outrun the database. It does not wait long, because an
      // unreachable database must not hold up a call.
      await Promise.race([recorded, delay(recordedWithinMs, undefined, { ref: false })]);
      return ended.answer;
    } finally {
      leave();
    }
  }

  #send({ connection, tool, arguments: args, timeoutMs }: Execution): Promise<ToolOutcome> {
    const { sessions, connector } = this.#options;
    return sessions.use({ connectionId: connection.id, revision: connection.revision }, timeoutMs, {
      open: () => connector.open(connection, timeoutMs),
      work: (session, leftMs) =>
        session.callTool({ name: tool.name, inputSchema: tool.definition.inputSchema }, args, leftMs),
    });
  }

  #failed({ connection, tool, callId }: Execution, failure: McpFailure): Answer {
    const { db, logger } = this.#options.host;
    const { reason } = failure;
    const about = { connectionId: connection.id, toolId: tool.id, callId, reason };
    logger.info({ err: failure, ...about }, 'an MCP tool could not be executed');
    if (tellsOfState.has(reason)) {
      refreshSoon(db, connection.organization_id, connection.id).catch((err: unknown) =>
        logger.warn({ err, ...about }, 'a refresh cannot be asked for'),
      );
    }
    return { failure: { code: codeOf(reason), reason } };
  }

  async #run(execution: Execution): Promise<EndedExecution> {
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    try {
      const result = resultOf(await this.#send(execution));
      const durationMs = elapsed();
      return {
        status: result.isError ? 'error' : 'ok',
        durationMs,
        answer: { result: { ...result, durationMs } },
      };
    } catch (error) {
      const answer = this.#failed(execution, asMcpFailure(error));
      const isLate = 'failure' in answer && answer.failure.code === 'MCP_TIMEOUT';
      return { status: isLate ? 'timeout' : 'error', durationMs: elapsed(), answer };
    }
  }

  /** The answer of the execution that is under way or over. @throws AppError IDEMPOTENCY_KEY_REUSED */
  async #answerOfFirst(one: StartedExecution, timeoutMs: number): Promise<Answer> {
    const until = performance.now() + timeoutMs + graceMs;
    for (;;) {
      const known = await findExecution(this.#options.host.db, one);
      if (known !== undefined && known.requestHash !== one.requestHash)
        throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (known?.answer) return known.answer;
      if (known?.status !== 'running' || performance.now() > until) return unknownOutcome;
      await delay(pollEveryMs);
    }
  }
}
