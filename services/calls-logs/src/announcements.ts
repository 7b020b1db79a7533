// What other services are told of calls.
import { events, type IntegrationEvent, makeEvent, outcomeOf } from '@parlance/contracts';
import type { Recorded } from '@parlance/event-sourcing';
import type { CallEvent } from './call/call-events.js';

/** Undefined for what is nobody else's business. The id is the event's own, so that a repetition shows as one. */
export const announcementOf = ({
  id,
  entityId: callId,
  metadata,
  event,
}: Recorded<CallEvent>): IntegrationEvent | undefined => {
  const { organizationId } = metadata;
  if (event.type === 'CallAnswered') {
    const { recordedAt: occurredAt, agentId, outboundCallId, answeredAt } = event.data;
    const data = { callId, agentId, outboundCallId, answeredAt };
    return makeEvent(events.callAnswered, { id, organizationId, occurredAt, data });
  }
  if (event.type !== 'CallEnded') return undefined;
  const {
    recordedAt: occurredAt,
    source: _source,
    sipStatus: _sip,
    providerCode: _code,
    ...end
  } = event.data;
  const outcome = outcomeOf(end);
  // An end has a final status, and those have an outcome.
  if (outcome === null) throw new Error('a call ended in a state that is not final');
  const data = { callId, ...end, outcome, durationSeconds: end.durationSeconds ?? 0 };
  return makeEvent(events.callEnded, { id, organizationId, occurredAt, data });
};
