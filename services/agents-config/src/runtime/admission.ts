// The token of a call, with which its runtime may run tools and search knowledge while the call lasts.
import type { AtStartFacts, RuntimeConfig } from '@parlance/contracts';
import type { Parts } from '../parts.js';
import type { Asking } from './abilities.js';
import { standingOf } from './admission-standing.js';
import { requestedStanding } from './requested-standing.js';

type Admission = RuntimeConfig['runtime'];

interface AskingForCall extends Asking {
  /** Undefined: the runtime named no call. */
  readonly callId: string | undefined;
  /** From the gateway; absent in the requests of a gateway of 0.2.0. */
  readonly facts: AtStartFacts | undefined;
}

/** A runtime may ask while the telephone still rings. */
const ringingSeconds = 180;
/** A hand-over may need its tools for a while after the call. */
const afterTheEndSeconds = 600;

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
  const { organizationId, agentId, callId, facts } = asking;
  if (callId === undefined) return without;
  const { isForeign, isOver, isOfOtherAgent } =
    facts === undefined
      ? await requestedStanding(parts, asking, callId)
      : await standingOf(parts, asking, { callId, call: facts.call });
  if (isForeign) {
    parts.logger.warn({ agentId, callId }, 'call token refused: the call is of another organization');
    return without;
  }
  if (isOver || isOfOtherAgent) return without;
  const lifetimeSeconds = maxDurationSeconds + afterTheEndSeconds + ringingSeconds;
  const { token, expiresAt } = await parts.callTokens.issue(
    { organizationId, agentId, callId },
    lifetimeSeconds,
  );
  return { ...without, callToken: token, expiresAt: expiresAt.toISOString() };
};
