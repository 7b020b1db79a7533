// Asks the services whether anything is left.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';

const clearedRows = [
  serviceRequests.agentsOrganizationCleared,
  serviceRequests.numbersOrganizationCleared,
  serviceRequests.callsOrganizationCleared,
  serviceRequests.outboundCallsOrganizationCleared,
  serviceRequests.knowledgeOrganizationCleared,
  serviceRequests.toolsOrganizationCleared,
  serviceRequests.mcpOrganizationCleared,
  serviceRequests.widgetsOrganizationCleared,
] as const;

/** The dialer comes first: while it calls the number, it makes new calls. */
const personRows = [serviceRequests.outboundCallsErasePerson, serviceRequests.callsErasePerson] as const;

const piecesAtOnce = 20;

const contextOf = (organizationId: string, requestId: string): RpcContext => ({
  caller: platformCaller('gateway', organizationId),
  requestId,
});

/** The sorted names of the services in which something of a removed organization is left, or which do not answer. */
export const leftOfOrganization = async (
  rpc: RpcClient,
  { organizationId, removalId }: { readonly organizationId: string; readonly removalId: string },
): Promise<readonly string[]> => {
  const left = await Promise.all(
    clearedRows.map(async (row) => {
      const context = contextOf(organizationId, removalId);
      const isCleared = await rpc.call(row, { body: { removalId } }, context).then(
        ({ data }) => data.cleared,
        (error: unknown) => {
          if (error instanceof AppError) return false;
          throw error;
        },
      );
      return isCleared ? [] : [row.service];
    }),
  );
  return left.flat().sort();
};

export interface PersonToErase {
  readonly erasureId: string;
  readonly organizationId: string;
  readonly phoneNumber: string;
  readonly requestedBy: string;
}

/** Erases pieces in one service until it has no more for now. */
const eraseIn = async (
  rpc: RpcClient,
  row: (typeof personRows)[number],
  { organizationId, ...body }: PersonToErase,
): Promise<{ readonly erased: number; readonly more: boolean }> => {
  let erased = 0;
  for (let piece = 0; piece < piecesAtOnce; piece += 1) {
    const { data } = await rpc.call(row, { body }, contextOf(organizationId, body.erasureId));
    erased += data.erased;
    if (!data.more) return { erased, more: false };
    if (data.erased === 0) break;
  }
  return { erased, more: true };
};

/** Erases pieces everywhere. */
export const erasePerson = async (
  rpc: RpcClient,
  person: PersonToErase,
): Promise<{ readonly erased: number; readonly left: readonly string[] }> => {
  let erased = 0;
  const left: string[] = [];
  for (const row of personRows) {
    try {
      const done = await eraseIn(rpc, row, person);
      erased += done.erased;
      if (done.more) left.push(row.service);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      left.push(row.service);
    }
  }
  return { erased, left };
};
