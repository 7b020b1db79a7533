// Takes a place among the calls of an organization, with the worst case of what a session may cost.
import { type CallContext, serviceRequests } from '@parlance/contracts';
import type { Host } from '@parlance/service-host';

const patienceMs = 3_000;

/** @throws AppError CONCURRENCY_LIMIT, SPEND_LIMIT_REACHED; CONFLICT for an organization that is being removed */
export const takePlace = async (
  { rpc, callerFor }: Pick<Host, 'rpc' | 'callerFor'>,
  { organizationId, callId, maxDurationSeconds }: CallContext,
  requestId: string,
): Promise<void> => {
  const body = { callId, seconds: maxDurationSeconds ?? 1 };
  const deadline = Date.now() + patienceMs;
  await rpc.call(
    serviceRequests.placesTake,
    { body },
    { caller: callerFor(organizationId), requestId, deadline },
  );
};
