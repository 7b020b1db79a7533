// Requests of calls-logs what the token of a call depends on, for gateways of 0.2.0. A gateway of this release sends it along.
import { type CallFacts, isTerminal, serviceRequests } from '@parlance/contracts';
import type { Parts } from '../parts.js';
import { findPreviewCall } from '../preview/preview-calls.js';
import { type Asking, deadlineOf } from './abilities.js';
import type { Standing } from './admission-standing.js';

/** Undefined for a call that calls-logs has not heard of, or while calls-logs does not answer. */
const factsOf = async (
  { rpc, callerFor, logger }: Pick<Parts, 'rpc' | 'callerFor' | 'logger'>,
  asking: Asking,
  callId: string,
): Promise<CallFacts | undefined> => {
  try {
    const context = {
      caller: callerFor(asking.organizationId),
      requestId: asking.requestId,
      deadline: deadlineOf(asking),
    };
    const { data } = await rpc.call(serviceRequests.callsFacts, { body: { callIds: [callId] } }, context);
    return data.find((facts) => facts.callId === callId);
  } catch (err) {
    logger.warn({ err, callId }, 'a call is not known to be over, and gets its token');
    return undefined;
  }
};

/** False while calls-logs does not answer. */
const isOfOtherOrganization = async (
  { db, rpc, callerFor, logger }: Pick<Parts, 'db' | 'rpc' | 'callerFor' | 'logger'>,
  { organizationId, requestId, ...asking }: Asking,
  callId: string,
): Promise<boolean> => {
  const preview = await findPreviewCall(db, callId);
  if (preview !== null) return preview.organizationId !== organizationId;
  try {
    const context = { caller: callerFor(organizationId), requestId, deadline: deadlineOf(asking) };
    const asked = rpc.call(serviceRequests.callsBelongsToOther, { body: { callId } }, context);
    return (await asked).data.isForeign;
  } catch (err) {
    logger.warn({ err, callId }, 'owner of a call unknown');
    return false;
  }
};

const isOver = ({ endedAt, status }: CallFacts): boolean => endedAt !== null || isTerminal(status);

const isOfOther = ({ agentId }: CallFacts, asking: Asking): boolean =>
  agentId !== undefined && agentId !== asking.agentId;

export const requestedStanding = async (
  parts: Pick<Parts, 'db' | 'rpc' | 'callerFor' | 'logger'>,
  asking: Asking,
  callId: string,
): Promise<Standing> => {
  const [facts, isForeign] = await Promise.all([
    factsOf(parts, asking, callId),
    isOfOtherOrganization(parts, asking, callId),
  ]);
  return {
    isForeign,
    isOver: facts !== undefined && isOver(facts),
    isOfOtherAgent: facts !== undefined && isOfOther(facts, asking),
  };
};
