import type { AgentFacts } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { refuseUnknownAgent } from '@parlance/service-host';
import type { Parts } from '../parts.js';

interface AgentOfRequest {
  readonly organizationId: string;
  readonly agentId: string;
  readonly requestId: string;
}

/**
 * @param facts of the gateway; a gateway of 0.2.0 sends none, and the agent is requested for it
 * @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer
 */
export const refuseUnknown = async (
  parts: Pick<Parts, 'rpc' | 'callerFor'>,
  facts: AgentFacts | undefined,
  { organizationId, agentId, requestId }: AgentOfRequest,
): Promise<void> => {
  if (facts === undefined) return refuseUnknownAgent(parts, organizationId, agentId, requestId);
  if (facts.agent === 'unknown') throw new AppError('AGENT_NOT_FOUND');
  if (facts.agent === 'unread') throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
};
