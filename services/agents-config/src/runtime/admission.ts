// The token of a call, with which its runtime may run tools and search knowledge while the call lasts.
import { type CallFacts, isTerminal, type RuntimeConfig, serviceRequests } from '@parlance/contracts';
import type { Parts } from '../parts.js';
import { findPreviewCall } from '../preview/preview-calls.js';
import { type Asking, deadlineOf } from './abilities.js';

type Admission = RuntimeConfig['runtime'];

interface AskingForCall extends Asking {
  /** Undefined: the runtime named no call. */
  readonly callId: string | undefined;
}

/** A runtime may ask while the telephone still rings. */
const ringingSeconds = 180;
/** A hand-over may need its tools for a while after the call. */
const afterTheEndSeconds = 600;

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

/**
 * The addresses and the token of the call. A call of another organization gets none. A call that is not known yet gets its token, because the asker holds the
 * internal key. A call that comes in is asked for before its first webhook.
 */
export const admissionOf = async (
  parts: Pick<Parts, 'db' | 'rpc' | 'callerFor' | 'logger' | 'callTokens' | 'runtimeBaseUrl'>,
  asking: AskingForCall,
  maxDurationSeconds: number,
): Promise<Admission> => {
  const without: Admission = { baseUrl: parts.runtimeBaseUrl, callToken: null, expiresAt: null };
  const { organizationId, agentId, callId } = asking;
  if (callId === undefined) return without;
  const [facts, isForeign] = await Promise.all([
    factsOf(parts, asking, callId),
    isOfOtherOrganization(parts, asking, callId),
  ]);
  if (isForeign) {
    parts.logger.warn({ agentId, callId }, 'call token refused: the call is of another organization');
    return without;
  }
  if (facts !== undefined && (isOver(facts) || isOfOther(facts, asking))) return without;
  const lifetimeSeconds = maxDurationSeconds + afterTheEndSeconds + ringingSeconds;
  const { token, expiresAt } = await parts.callTokens.issue(
    { organizationId, agentId, callId },
    lifetimeSeconds,
  );
  return { ...without, callToken: token, expiresAt: expiresAt.toISOString() };
};
