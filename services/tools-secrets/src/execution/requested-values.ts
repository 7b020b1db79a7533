// Requests the values of a call and its agent for gateways of 0.2.0. A gateway of this release sends them along.
import { type CallLog, contract, type Result, serviceRequests, type ToolValues } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Parts } from '../parts.js';
import type { Place } from './place.js';

type Asking = Pick<Parts, 'rpc' | 'callerFor'>;
type Agent = Pick<Result<(typeof serviceRequests)['agentsPostCallWebhook']>, 'variables' | 'timezone'>;

const noAgent: Agent = { variables: {}, timezone: 'UTC' };

/** Undefined for these errors, because they are expected: a preview is in no log, an agent may lack a configuration. */
const unless = <T>(codes: readonly string[], asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError && codes.includes(error.code)) return undefined;
    throw error;
  });

/** The defaults of the agent, with the variables that the initiation webhook of the call answered. */
const agentOf = async (parts: Asking, place: Place, version: number | null): Promise<Agent> => {
  const { organizationId, agentId, callId, requestId } = place;
  if (agentId === null) return noAgent;
  const caller = parts.callerFor(organizationId);
  const asked = parts.rpc.call(
    serviceRequests.agentsPostCallWebhook,
    { body: { agentId, version, ...(callId === null ? {} : { callId }) } },
    { caller, requestId },
  );
  return (await unless(['CONFIG_NOT_FOUND'], asked))?.data ?? noAgent;
};

const logOf = async (
  parts: Asking,
  { organizationId, callId, requestId }: Place,
): Promise<CallLog | undefined> => {
  if (callId === null) return undefined;
  const caller = parts.callerFor(organizationId);
  const asked = parts.rpc.call(contract.callsGet, { params: { callId } }, { caller, requestId });
  return (await unless(['CALL_NOT_FOUND'], asked))?.data;
};

/** @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while another service does not answer */
export const requestedValues = async (parts: Asking, place: Place): Promise<ToolValues> => {
  const log = await logOf(parts, place);
  const version = log === undefined || log.configVersion < 1 ? null : log.configVersion;
  return { call: log ?? null, agent: await agentOf(parts, place, version) };
};
