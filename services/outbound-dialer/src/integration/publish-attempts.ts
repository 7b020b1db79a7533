// The announcements of attempts to the other services. The stream is the truth; this file translates it.
import { type EventDefinition, events, type IntegrationEvent, makeEvent } from '@parlance/contracts';
import type { Recorded } from '@parlance/event-sourcing';
import type { OutboundCallEvent, OutboundCallEventOf } from '../domain/outbound-call/outbound-call-events.js';
import { abandonedAs } from '../domain/outbound-call/outbound-call-evolve.js';

type Settled = IntegrationEvent<typeof events.attemptSettled>['data'];
type Ending = Pick<Settled, 'status' | 'endedReason' | 'error' | 'endedAt'>;
type Ref = { readonly attemptId: string; readonly callId: string };

const started = (outboundCallId: string, event: OutboundCallEventOf<'AttemptStarted'>) => {
  // The person was forgotten before the announcement: there is nothing to tell any more.
  if (event.personal === null) return undefined;
  const { deadlineAt: _, ...data } = event.data;
  return { outboundCallId, ...data, ...event.personal };
};

const rejected = ({ data }: OutboundCallEventOf<'AttemptRejected'>): Ending => {
  const { status, endedReason, sipStatus, providerCode, endedAt } = data;
  const error = {
    reason: endedReason,
    ...(sipStatus === null ? {} : { sipStatus }),
    ...(providerCode === null ? {} : { providerCode }),
  };
  return { status, endedReason, error: status === 'failed' ? error : null, endedAt };
};

const abandoned = (data: OutboundCallEventOf<'AttemptAbandoned'>['data']): Ref & Ending => {
  const { attemptId, callId, endedAt } = data;
  const { status, endedReason } = abandonedAs(data.reason);
  const error = { reason: endedReason, detail: 'given up before it was dialled' };
  return { attemptId, callId, status, endedReason, error: status === 'failed' ? error : null, endedAt };
};

/** The end of an attempt that the dialer itself decided; undefined for any other event. */
const endingOf = (event: OutboundCallEvent): (Ref & Ending) | undefined => {
  switch (event.type) {
    case 'AttemptRejected': {
      const { attemptId, callId } = event.data;
      return { attemptId, callId, ...rejected(event) };
    }
    case 'AttemptAbandoned':
      return abandoned(event.data);
    case 'AttemptOutcomeUnknown': {
      const { attemptId, callId, endedAt } = event.data;
      const error = { reason: 'outcome_unknown' } as const;
      return { attemptId, callId, status: 'failed', endedReason: 'outcome_unknown', error, endedAt };
    }
    case 'OutboundCallCancelled': {
      const { attempt, reason: endedReason, cancelledAt: endedAt } = event.data;
      if (attempt === null) return undefined;
      return { ...attempt, status: 'cancelled', endedReason, error: null, endedAt };
    }
    default:
      return undefined;
  }
};

/** The integration event for a domain event, or undefined when no other service needs it. */
export const translateAttempt = (recorded: Recorded<OutboundCallEvent>): IntegrationEvent | undefined => {
  const { event, entityId: outboundCallId, id } = recorded;
  const { occurredAt, organizationId } = recorded.metadata;
  const tell = <T extends EventDefinition>(definition: T, data: IntegrationEvent<T>['data']) =>
    makeEvent(definition, { id, occurredAt, organizationId, data });
  if (event.type === 'AttemptStarted') {
    const data = started(outboundCallId, event);
    return data && tell(events.attemptStarted, data);
  }
  if (event.type === 'AttemptAnswered')
    return tell(events.attemptAnswered, { outboundCallId, ...event.data });
  const ending = endingOf(event);
  return ending && tell(events.attemptSettled, { outboundCallId, ...ending });
};
