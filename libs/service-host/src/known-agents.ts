// Asks agents-config whether an agent exists.
import { serviceRequests } from '@parlance/contracts';
import type { RpcClient } from '@parlance/rpc';

export interface AskingParts {
  readonly rpc: Pick<RpcClient, 'call'>;
  /** A signed token with which this service asks on behalf of an organization. */
  readonly platformToken: (organizationId: string) => Promise<string>;
}

/** @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer */
export const refuseUnknownAgent = async (
  { rpc, platformToken }: AskingParts,
  organizationId: string,
  agentId: string,
  requestId: string,
): Promise<void> => {
  const caller = await platformToken(organizationId);
  await rpc.call(serviceRequests.agentsForCall, { body: { agentId } }, { caller, requestId });
};
