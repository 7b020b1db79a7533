// Asks agents-config whether an agent exists.
import { type Caller, serviceRequests } from '@parlance/contracts';
import type { RpcClient } from '@parlance/rpc';

export interface AskingParts {
  readonly rpc: Pick<RpcClient, 'call'>;
  /** A signed token with which this service asks on behalf of an organization. */
  readonly callerFor: (organizationId: string) => Caller;
}

/** @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer */
export const refuseUnknownAgent = async (
  { rpc, callerFor }: AskingParts,
  organizationId: string,
  agentId: string,
  requestId: string,
): Promise<void> => {
  const caller = callerFor(organizationId);
  await rpc.call(serviceRequests.agentsForCall, { body: { agentId } }, { caller, requestId });
};
