// Asks agents-config whether an agent exists.
import { serviceRequests } from '@parlance/contracts';
import type { Parts } from '../parts.js';

/** @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer */
export const refuseUnknownAgent = async (
  { rpc, platformToken }: Pick<Parts, 'rpc' | 'platformToken'>,
  organizationId: string,
  agentId: string,
  requestId: string,
): Promise<void> => {
  const caller = await platformToken(organizationId);
  await rpc.call(serviceRequests.agentsForCall, { body: { agentId } }, { caller, requestId });
};
