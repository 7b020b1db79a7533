// Reads the values of a tool's placeholders from the services that keep them, so that tools-secrets requests nothing of these.
import { contract, serviceRequests, type ToolValues } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import { type ReadingContext, type ReadingOptions, readingFor } from '../composition/reading.js';

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
  { rpc, logger }: ReadingOptions,
  { organizationId, agentId, callId }: CallOfTool,
  context: ReadingContext,
): Promise<ToolValues | null> => {
  const reading = readingFor(organizationId, context, patienceMs);
  try {
    // The call of a preview is in no log.
    const log = await unless('CALL_NOT_FOUND', rpc.call(contract.callsGet, { params: { callId } }, reading));
    const version = log === undefined || log.configVersion < 1 ? null : log.configVersion;
    const body = { agentId, version, callId };
    const agent = await unless(
      'CONFIG_NOT_FOUND',
      rpc.call(serviceRequests.agentsPostCallWebhook, { body }, reading),
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
