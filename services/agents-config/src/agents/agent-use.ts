// Whether an agent may be deleted, which only the services that hold its calls can say.
import { type AgentUseFacts, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Parts } from '../parts.js';

interface AgentOfRequest {
  readonly organizationId: string;
  readonly agentId: string;
  readonly requestId: string;
}

/** For a gateway of 0.2.0. A gateway of this release sends the use of the agent along. */
const requestedUse = async (
  { rpc, callerFor }: Pick<Parts, 'rpc' | 'callerFor'>,
  { organizationId, agentId, requestId }: AgentOfRequest,
): Promise<AgentUseFacts['use']> => {
  const context = { caller: callerFor(organizationId), requestId };
  const [calls, outboundCalls] = await Promise.all([
    rpc.call(serviceRequests.callsLiveCountOfAgent, { body: { agentId } }, context),
    rpc.call(serviceRequests.outboundCallsOpenCountOfAgent, { body: { agentId } }, context),
  ]);
  return { liveCalls: calls.data.live, openOutboundCalls: outboundCalls.data.open };
};

/**
 * Fails closed: an agent in a call is never deleted for lack of an answer.
 * @throws AppError AGENT_IN_USE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when a service does not answer
 */
export const refuseWhileInUse = async (
  parts: Pick<Parts, 'rpc' | 'callerFor'>,
  facts: AgentUseFacts | undefined,
  agent: AgentOfRequest,
): Promise<void> => {
  const use = facts === undefined ? await requestedUse(parts, agent) : facts.use;
  if (use === null) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
  if (use.liveCalls > 0 || use.openOutboundCalls > 0) throw new AppError('AGENT_IN_USE');
};
