// The announcements of calls to other services.
import { events, type IntegrationEvent, makeEvent, outcomeOf } from '@parlance/contracts';
import type { Recorded } from '@parlance/event-sourcing';
import type { CallEvent } from './call/call-events.js';

const changes = {
  CallEndRequested: 'end_requested',
  CallIngested: 'handed_over',
  CallDeleted: 'deleted',
} as const;

/** Types of the events that other services may hear of. */
export const announcedTypes = [
  ...(['CallDescribed', 'CallAnswered', 'CallEnded'] as const),
  ...(['CallEndRequested', 'CallIngested', 'CallDeleted'] as const),
];

const isChange = (type: string): type is keyof typeof changes => Object.hasOwn(changes, type);

/** The announcements of changes for people who look at calls, beside those of the answer and the end. */
const changeOf = ({ id, entityId: callId, revision, metadata, event }: Recorded<CallEvent>) => {
  const { organizationId } = metadata;
  const isStart = event.type === 'CallDescribed' && revision === 0n;
  if (!isStart && !isChange(event.type)) return undefined;
  const change = isChange(event.type) ? changes[event.type] : ('started' as const);
  const data = { callId, change, version: Number(revision) };
  return makeEvent(events.callChanged, { id, organizationId, occurredAt: event.data.recordedAt, data });
};

/** The hand-over and the request in it are one event of the call, so that neither is published without the other. */
const optOutOf = ({
  entityId: callId,
  metadata,
  event,
}: Recorded<CallEvent>): readonly IntegrationEvent[] => {
  if (event.type !== 'CallIngested' || event.data.optedOut === undefined) return [];
  // The event's own id is that of the other announcement.
  const { recordedAt: occurredAt, ingestId: id } = event.data;
  const { organizationId } = metadata;
  return [makeEvent(events.callOptedOut, { id, organizationId, occurredAt, data: { callId } })];
};

/** Undefined for an event that no other service needs. The id is the event's own, so that a repetition shows as one. */
const announcementOf = (recorded: Recorded<CallEvent>): IntegrationEvent | undefined => {
  const { id, entityId: callId, metadata, event } = recorded;
  const { organizationId } = metadata;
  if (event.type === 'CallAnswered') {
    const { recordedAt: occurredAt, agentId, outboundCallId, answeredAt } = event.data;
    const data = { callId, agentId, outboundCallId, answeredAt };
    return makeEvent(events.callAnswered, { id, organizationId, occurredAt, data });
  }
  if (event.type !== 'CallEnded') return changeOf(recorded);
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

export const announcementsOf = (recorded: Recorded<CallEvent>): readonly IntegrationEvent[] => {
  const announced = announcementOf(recorded);
  return [...(announced === undefined ? [] : [announced]), ...optOutOf(recorded)];
};
