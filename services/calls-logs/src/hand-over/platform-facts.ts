// What other services of the platform know of a call at its hand-over: the variables of its initiation webhook, and the tools
// that it ran. Their own messages may still be under way, and the webhook after the call must not miss them.
import { type Caller, type ExecutedTool, serviceRequests } from '@parlance/contracts';
import type { Logger } from '@parlance/observability';
import type { RpcClient } from '@parlance/rpc';
import type { PlatformFacts } from '../call/call-commands.js';
import type { ToolRun } from '../call/call-events.js';

export interface PlatformFactsOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Question {
  readonly organizationId: string;
  readonly callId: string;
  readonly requestId: string;
}

const patienceMs = 1_500;
/** Bytes of JSON that an append has room for beside the hand-over. The message of a run beyond them records it. */
const maxBytes = 48 * 1_024;

/** The run of a message between services, as the stream of the call stores it. */
export const runOf = ({
  callId: _callId,
  agentId: _agentId,
  httpStatus: _httpStatus,
  startedAt: at,
  result,
  assignments,
  ...run
}: ExecutedTool): ToolRun => ({
  ...run,
  at,
  ...(result === undefined ? {} : { result }),
  ...(assignments === undefined ? {} : { assignments }),
});

const thatFit = (runs: readonly ExecutedTool[]): readonly ExecutedTool[] => {
  let bytes = 0;
  return runs.filter((run) => {
    bytes += Buffer.byteLength(JSON.stringify(run));
    return bytes <= maxBytes;
  });
};

/** Never fails: of a service that does not answer, nothing is known. */
export const platformFactsOf = async (
  { rpc, callerFor, logger }: PlatformFactsOptions,
  { organizationId, callId, requestId }: Question,
): Promise<PlatformFacts> => {
  const context = { caller: callerFor(organizationId), requestId, deadline: Date.now() + patienceMs };
  const body = { callId };
  const orElse = async <T>(
    service: string,
    asked: Promise<{ readonly data: T }>,
    otherwise: T,
  ): Promise<T> => {
    try {
      return (await asked).data;
    } catch (err) {
      logger.warn({ err, callId, service }, 'facts of a call not available at its hand-over');
      return otherwise;
    }
  };
  const [{ initiation }, runs] = await Promise.all([
    orElse('agents-config', rpc.call(serviceRequests.agentsInitiationOfCall, { body }, context), {
      initiation: null,
    }),
    orElse('tools-secrets', rpc.call(serviceRequests.toolsRunsOfCall, { body }, context), []),
  ]);
  return { initiation, toolRuns: thatFit(runs).map((run) => ({ agentId: run.agentId, run: runOf(run) })) };
};
