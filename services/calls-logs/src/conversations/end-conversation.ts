// Ending a conversation in text for an operator. There is no room that could be deleted: the service that holds it ends it.
import { serviceRequests } from '@parlance/contracts';
import type { Description } from '../call/call-events.js';
import type { Parts } from '../parts.js';

/** @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while widgets does not answer; the conversation goes on then */
export const endConversation = async (
  { rpc, callerFor, ids }: Pick<Parts, 'rpc' | 'callerFor' | 'ids'>,
  { organizationId }: Pick<Description, 'organizationId'>,
  callId: string,
): Promise<void> => {
  const context = { caller: callerFor(organizationId), requestId: ids.next() };
  await rpc.call(serviceRequests.widgetsEndConversation, { body: { callId } }, context);
};
