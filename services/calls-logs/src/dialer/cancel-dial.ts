// Ending a call that still rings. The dialer hears of it before the room is gone, because the dial fails without its room.
// That dial would pass for a phone that was not answered, and a policy may try such a phone again.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Call } from '../call/call-state.js';
import type { Parts } from '../parts.js';

/**
 * The time at which the dialer cut the dial off. Null for a call that is not dialled, or that was answered or over
 * before.
 * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when the dialer does not answer; the call goes on then
 */
export const cancelDial = async (
  { rpc, callerFor, ids }: Pick<Parts, 'rpc' | 'callerFor' | 'ids'>,
  callId: string,
  { description, answeredAt }: Call,
): Promise<string | null> => {
  const { organizationId, outboundCallId } = description;
  if (outboundCallId === null || answeredAt !== null) return null;
  const context = { caller: callerFor(organizationId), requestId: ids.next() };
  const body = { outboundCallId, callId };
  try {
    const { data } = await rpc.call(serviceRequests.outboundCallsEndAttempt, { body }, context);
    return data.cancelledAt;
  } catch (error) {
    // Only the room's metadata told of an outbound call; the dialer knows none, and has nothing to cut off.
    if (error instanceof AppError && error.code === 'OUTBOUND_CALL_NOT_FOUND') return null;
    throw error;
  }
};
