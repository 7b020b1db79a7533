// A call that an operator ends may be held by widgets, or dialled by outbound-dialer. Both have ended their part before the call is
// recorded as ended: a dial that loses its room first would pass for a phone that was not answered.
import { type CallEndFacts, type CallInRoom, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcContext } from '@parlance/rpc';
import type { Call } from '../call/call-state.js';
import type { Parts } from '../parts.js';

type Requesting = Pick<Parts, 'rpc' | 'callerFor' | 'ids'>;

export const inRoom = (callId: string, { description, answeredAt }: Call): CallInRoom => ({
  callId,
  inText: description.inText === true,
  dialOf: answeredAt === null ? description.outboundCallId : null,
});

/** A gateway of 0.2.0 has ended nothing. @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT */
const endNow = async ({ rpc, callerFor, ids }: Requesting, call: Call, part: CallInRoom) => {
  const { callId, inText, dialOf } = part;
  const context: RpcContext = { caller: callerFor(call.description.organizationId), requestId: ids.next() };
  if (inText) await rpc.call(serviceRequests.widgetsEndConversation, { body: { callId } }, context);
  if (dialOf === null) return null;
  try {
    const body = { outboundCallId: dialOf, callId };
    return (await rpc.call(serviceRequests.outboundCallsEndAttempt, { body }, context)).data.cancelledAt;
  } catch (error) {
    // The metadata of the room alone named the outbound call: nothing is dialled.
    if (error instanceof AppError && error.code === 'OUTBOUND_CALL_NOT_FOUND') return null;
    throw error;
  }
};

/**
 * The time at which the dialer ended the dial. Null for a call that is not dialled, or was answered or over before.
 * @param facts of the gateway; one of 0.2.0 sends none
 * @throws AppError SERVICE_UNAVAILABLE when a part of the call has not ended, or not for sure: the call is still in progress then
 */
export const dialCancelledAt = async (
  requesting: Requesting,
  facts: CallEndFacts | undefined,
  callId: string,
  call: Call,
): Promise<string | null> => {
  const part = inRoom(callId, call);
  if (facts === undefined) return endNow(requesting, call, part);
  const { ended } = facts;
  const isEnded =
    ended?.callId === callId &&
    (!part.inText || ended.inText) &&
    (part.dialOf === null || part.dialOf === ended.dialOf);
  // The call was described after the gateway had looked.
  if (!isEnded && (part.inText || part.dialOf !== null))
    throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
  return isEnded ? ended.dialCancelledAt : null;
};
