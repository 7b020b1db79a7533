// Whether an agent may be deleted, which only the services that hold its calls can say.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Parts } from '../parts.js';

/**
 * Fails closed: an agent in a call is never deleted for lack of an answer.
 * @throws AppError AGENT_IN_USE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when a service does not answer
 */
export const refuseWhileInUse = async (
  { rpc, callerFor }: Pick<Parts, 'rpc' | 'callerFor'>,
  organizationId: string,
  agentId: string,
  requestId: string,
): Promise<void> => {
  const context = { caller: callerFor(organizationId), requestId };
  const [calls, outboundCalls] = await Promise.all([
    rpc.call(serviceRequests.callsLiveCountOfAgent, { body: { agentId } }, context),
    rpc.call(serviceRequests.outboundCallsOpenCountOfAgent, { body: { agentId } }, context),
  ]);
  if (calls.data.live > 0 || outboundCalls.data.open > 0) throw new AppError('AGENT_IN_USE');
};
