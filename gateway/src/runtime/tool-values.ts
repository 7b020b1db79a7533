// Reads the values of a tool's placeholders from the services that keep them, so that tools-secrets requests nothing of these.
import { contract, serviceRequests, type ToolValues } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import { platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';

export interface ToolValuesOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly logger: Pick<Logger, 'warn'>;
}

interface CallOfTool {
  readonly organizationId: string;
  readonly agentId: string;
  readonly callId: string;
}

/** The person at the telephone waits for the tool, too. */
const patienceMs = 2_500;

const noAgent: ToolValues['agent'] = { variables: {}, timezone: 'UTC' };

const unless = <T>(code: ErrorCode, response: Promise<{ readonly data: T }>): Promise<T | undefined> =>
  response.then(
    ({ data }) => data,
    (error: unknown) => {
      if (error instanceof AppError && error.code === code) return undefined;
      throw error;
    },
  );

/** Null when a service does not answer in time, and for an agent that is gone. */
export const toolValuesOf = async (
  { rpc, logger }: ToolValuesOptions,
  { organizationId, agentId, callId }: CallOfTool,
  { requestId, deadline = Number.POSITIVE_INFINITY }: Pick<RpcContext, 'requestId' | 'deadline'>,
): Promise<ToolValues | null> => {
  const context = {
    caller: platformCaller('gateway', organizationId),
    requestId,
    deadline: Math.min(deadline, Date.now() + patienceMs),
  };
  try {
    // The call of a preview is in no log.
    const log = await unless('CALL_NOT_FOUND', rpc.call(contract.callsGet, { params: { callId } }, context));
    const version = log === undefined || log.configVersion < 1 ? null : log.configVersion;
    const body = { agentId, version, callId };
    const agent = await unless(
      'CONFIG_NOT_FOUND',
      rpc.call(serviceRequests.agentsPostCallWebhook, { body }, context),
    );
    return {
      call: log === undefined ? null : callOf(log),
      agent: agent === undefined ? noAgent : { variables: agent.variables, timezone: agent.timezone },
    };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    logger.warn({ err, agentId, callId }, 'values for a tool unavailable');
    return null;
  }
};

const callOf = ({
  campaignId,
  direction,
  fromNumber,
  toNumber,
  startedAt,
  answeredAt,
  dynamicVariables,
}: NonNullable<ToolValues['call']>): ToolValues['call'] => ({
  campaignId,
  direction,
  fromNumber,
  toNumber,
  startedAt,
  answeredAt,
  dynamicVariables,
});
