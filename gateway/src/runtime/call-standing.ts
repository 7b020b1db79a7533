import { type AtStartFacts, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type ReadingContext, type ReadingOptions, readingFor } from '../composition/reading.js';

/** The telephone has been answered, and the person at it waits. */
const patienceMs = 1_500;

/**
 * Undefined without a call, and where calls-logs does not know the request: agents-config reads the call itself then. A call that
 * cannot be read in time gets its token, as one that nobody has reported yet.
 */
export const standingOfCall = async (
  { rpc, logger }: ReadingOptions,
  callId: string | undefined,
  context: ReadingContext,
): Promise<AtStartFacts | undefined> => {
  if (callId === undefined) return undefined;
  try {
    const reading = readingFor('', context, patienceMs);
    const { data } = await rpc.call(serviceRequests.callsStanding, { body: { callId } }, reading);
    return { call: data.standing };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    if (err.code === 'SERVICE_UNAVAILABLE') return undefined;
    logger.warn({ err, callId }, 'a call is not known to be over, and gets its token');
    return { call: null };
  }
};
