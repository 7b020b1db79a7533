// The states of attempts, for calls-logs: it may have missed their events.
import type { AttemptFacts, EventOf, events } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';
import { attemptsBehind } from '../read-models/outbound-call-queries.js';

/** The attempts behind these calls of the organization; unknown ones are left out. */
export const attemptFacts = async (
  tx: Tx,
  organizationId: string,
  callIds: readonly string[],
): Promise<AttemptFacts[]> => {
  const attempts = await attemptsBehind(tx, organizationId, callIds);
  return attempts.map(({ callId, status, endedReason, answeredAt, endedAt }) => ({
    callId,
    status,
    endedReason,
    answeredAt,
    endedAt,
  }));
};

export const attemptReport = async (
  tx: Tx,
  organizationId: string,
  callIds: readonly string[],
): Promise<EventOf<typeof events.attemptsReported>['data']> => {
  const attempts = await attemptFacts(tx, organizationId, callIds);
  const known = new Set(attempts.map(({ callId }) => callId));
  return { attempts, unknownCallIds: callIds.filter((callId) => !known.has(callId)) };
};
