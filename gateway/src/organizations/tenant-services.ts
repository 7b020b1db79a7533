// The services that have to be asked before an organization goes: each closes itself to it first, and counts then.
import { type Result, serviceRequests } from '@parlance/contracts';
import { platformCaller, type RpcClient } from '@parlance/rpc';

/** One removal of one organization, under the request that asked for it. */
export interface Removal {
  readonly organizationId: string;
  readonly removalId: string;
}

/** The counts that keep an organization from being removed. */
export type InUse = Result<typeof serviceRequests.numbersCloseOrganization> &
  Result<typeof serviceRequests.outboundCallsCloseOrganization> & { readonly openCalls: number };

export interface TenantServices {
  /** @throws AppError when a service does not answer; it may be closed all the same */
  close(removal: Removal): Promise<InUse>;
  /** May be done again. @throws AppError when a service does not answer */
  reopen(removal: Removal): Promise<void>;
}

export const tenantServicesOver = ({ rpc }: { readonly rpc: RpcClient }): TenantServices => {
  const contextOf = async ({ organizationId, removalId }: Removal) => ({
    caller: platformCaller('gateway', organizationId),
    requestId: removalId,
  });
  return {
    close: async (removal) => {
      const context = await contextOf(removal);
      const body = { removalId: removal.removalId };
      const [numbers, dialer, calls] = await Promise.all([
        rpc.call(serviceRequests.numbersCloseOrganization, { body }, context),
        rpc.call(serviceRequests.outboundCallsCloseOrganization, { body }, context),
        rpc.call(serviceRequests.callsOpenCount, { body: {} }, context),
      ]);
      return { ...numbers.data, ...dialer.data, openCalls: calls.data.open };
    },
    reopen: async (removal) => {
      const context = await contextOf(removal);
      const body = { removalId: removal.removalId };
      await Promise.all([
        rpc.call(serviceRequests.numbersReopenOrganization, { body }, context),
        rpc.call(serviceRequests.outboundCallsReopenOrganization, { body }, context),
      ]);
    },
  };
};
