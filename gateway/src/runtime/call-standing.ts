import { type AtStartFacts, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { platformCaller, type RpcContext } from '@parlance/rpc';
import type { AbilitiesOptions } from './abilities.js';

/** The telephone has been answered, and the person at it waits. */
const patienceMs = 1_500;

/**
 * Undefined without a call, and where calls-logs does not know the request: agents-config reads the call itself then. A call that
 * cannot be read in time gets its token, as one that nobody has reported yet.
 */
export const standingOfCall = async (
  { rpc, logger }: AbilitiesOptions,
  callId: string | undefined,
  { requestId, deadline = Number.POSITIVE_INFINITY }: Pick<RpcContext, 'requestId' | 'deadline'>,
): Promise<AtStartFacts | undefined> => {
  if (callId === undefined) return undefined;
  const context = {
    caller: platformCaller('gateway', ''),
    requestId,
    deadline: Math.min(deadline, Date.now() + patienceMs),
  };
  try {
    const { data } = await rpc.call(serviceRequests.callsStanding, { body: { callId } }, context);
    return { call: data.standing };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    if (err.code === 'SERVICE_UNAVAILABLE') return undefined;
    logger.warn({ err, callId }, 'a call is not known to be over, and gets its token');
    return { call: null };
  }
};
