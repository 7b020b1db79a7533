// The timeline of an outbound call, with reasons, from its stream: one entry for each event.
import type { OutboundTimelineEntry } from '@parlance/contracts';
import type { EventMetadata, Recorded } from '@parlance/event-sourcing';
import type { OutboundCallEvent } from './outbound-call-events.js';

const actorOf = ({ actor }: EventMetadata): OutboundTimelineEntry['actor'] => {
  const [type = '', ...id] = actor.split(':');
  return { type, id: id.join(':') };
};

/** The wire format, for a moment of any stored precision. */
const iso = (moment: string): string => new Date(moment).toISOString();
const isoOrNull = (moment: string | null): string | null => (moment === null ? null : iso(moment));

type Common = Pick<OutboundTimelineEntry, 'actor'> & { readonly attemptNumber: number | null };

const entryOf = (
  event: OutboundCallEvent,
  { actor, attemptNumber }: Common,
  occurredAt: string,
): OutboundTimelineEntry => {
  const at = (moment: string) => ({ at: iso(moment), actor });
  const { data, type } = event;
  const next = 'nextAttemptAt' in data ? isoOrNull(data.nextAttemptAt) : null;
  const callId = 'callId' in data ? data.callId : '';
  switch (type) {
    case 'OutboundCallPlaced': {
      const { mode, agentId, campaignId, rowNumber } = data;
      return {
        ...at(data.placedAt),
        kind: 'outbound.placed',
        details: { mode, agentId, campaignId, rowNumber },
      };
    }
    case 'OutboundCallCancelled':
      return { ...at(data.cancelledAt), kind: 'outbound.cancelled', details: { reason: data.reason } };
    case 'OutboundCallRetried':
      return { ...at(data.retriedAt), kind: 'outbound.retried', details: {} };
    case 'AttemptStarted': {
      const { provider, configVersion } = data;
      const details = { callId, provider, configVersion, deadlineAt: iso(data.deadlineAt) };
      return { ...at(data.startedAt), kind: 'attempt.started', attemptNumber, details };
    }
    case 'AttemptAnswered':
      return { ...at(data.answeredAt), kind: 'attempt.answered', attemptNumber, details: { callId } };
    case 'AttemptRejected': {
      const { status, endedReason, sipStatus } = data;
      const details = { callId, status, endedReason, sipStatus, nextAttemptAt: next };
      return { ...at(data.endedAt), kind: 'attempt.rejected', attemptNumber, details };
    }
    case 'AttemptInDoubt':
      return { ...at(data.since), kind: 'attempt.in_doubt', attemptNumber, details: { callId } };
    case 'AttemptAdopted':
      return { ...at(data.adoptedAt), kind: 'attempt.adopted', attemptNumber, details: { callId } };
    case 'AttemptAbandoned': {
      const details = { callId, endedReason: data.reason, nextAttemptAt: next };
      return { ...at(data.endedAt), kind: 'attempt.abandoned', attemptNumber, details };
    }
    case 'AttemptOutcomeUnknown':
      return { ...at(data.endedAt), kind: 'attempt.outcome_unknown', attemptNumber, details: { callId } };
    case 'AttemptEnded': {
      const { status, outcome, endedReason, answeredBy, durationSeconds } = data;
      const end = { status, outcome, endedReason, answeredBy, durationSeconds, nextAttemptAt: next };
      // The call's own end may have been told long before the dialer heard of it.
      return { ...at(occurredAt), kind: 'attempt.ended', attemptNumber, details: { callId, ...end } };
    }
    case 'AttemptHungUp':
      return { ...at(data.hungUpAt), kind: 'attempt.hung_up', attemptNumber, details: { callId } };
  }
};

/**
 * In the order of the stream: the media server tells whole seconds, so times alone would put an answer before its dial.
 * Attempts are counted from 1.
 */
export const timelineOf = (recorded: readonly Recorded<OutboundCallEvent>[]): OutboundTimelineEntry[] => {
  const numbers = new Map<string, number>();
  return recorded.map(({ event, metadata }) => {
    if (event.type === 'AttemptStarted') numbers.set(event.data.attemptId, event.data.attempt);
    const attemptNumber = 'attemptId' in event.data ? (numbers.get(event.data.attemptId) ?? null) : null;
    return entryOf(event, { actor: actorOf(metadata), attemptNumber }, metadata.occurredAt);
  });
};
