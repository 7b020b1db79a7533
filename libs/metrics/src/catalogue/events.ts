// Instruments of events, between services and behind the event store: lag, dead letters, and outboxes.
import { liveEventTypes, reloadReasons } from '@parlance/contracts';
import { instrument } from './definition.js';
import { consumerNames, processNames, projections } from './label-values.js';

export const projectionLag = instrument({
  name: 'parlance.projection.lag',
  kind: 'gauge',
  unit: 's',
  about: 'The wait of the oldest event that waits for a projection; 0 in a copy that does not do the work.',
  place: 'service',
  labels: { 'parlance.projection': projections },
});

export const projectionActive = instrument({
  name: 'parlance.projection.active',
  kind: 'gauge',
  unit: '{copy}',
  about: '1 in the copy that does the work of a projection, 0 in a copy that stands by.',
  place: 'service',
  labels: { 'parlance.projection': projections },
});

export const projectionParked = instrument({
  name: 'parlance.projection.parked',
  kind: 'gauge',
  unit: '{event}',
  about: 'Events that a projection has set aside, because it could not handle them.',
  place: 'service',
  labels: { 'parlance.projection': projections },
});

export const messagesParked = instrument({
  name: 'parlance.messages.parked',
  kind: 'gauge',
  unit: '{message}',
  about: 'Messages of other services that a service has set aside, because it could not handle them.',
  place: 'service',
  labels: { 'parlance.process': processNames },
});

export const consumerBacklog = instrument({
  name: 'parlance.consumer.backlog',
  kind: 'gauge',
  unit: '{event}',
  about:
    'Events in JetStream that a consumer has not handled: those that it was not sent yet, and the unsettled ones of the kind that has the most.',
  place: 'service',
  labels: { 'parlance.consumer': consumerNames, 'parlance.event.state': ['waiting', 'unsettled'] },
});

export const outboxAge = instrument({
  name: 'parlance.outbox.age',
  kind: 'gauge',
  unit: 's',
  about: 'The time that the oldest event of an outbox has waited to be sent.',
  place: 'every',
  labels: { 'parlance.process': processNames },
});

export const outboxSize = instrument({
  name: 'parlance.outbox.size',
  kind: 'gauge',
  unit: '{event}',
  about: 'Events of an outbox that wait to be sent, counted up to 10,000.',
  place: 'every',
  labels: { 'parlance.process': processNames },
});

export const outboxSent = instrument({
  name: 'parlance.outbox.sent',
  kind: 'counter',
  unit: '{event}',
  about: 'Events that an outbox or an event-sourced publisher has sent to the broker, or could not send.',
  place: 'every',
  labels: { 'parlance.process': processNames, 'parlance.result': ['sent', 'failed'] },
});

export const liveStreamsOpen = instrument({
  name: 'parlance.live.streams',
  kind: 'upDownCounter',
  unit: '{stream}',
  about: 'Streams of live events that are open.',
  place: 'gateway',
  labels: {},
});

export const liveEventsSent = instrument({
  name: 'parlance.live.events',
  kind: 'counter',
  unit: '{event}',
  about: 'Live events that readers were sent, by type.',
  place: 'gateway',
  labels: { 'parlance.live.type': liveEventTypes },
});

export const liveReloads = instrument({
  name: 'parlance.live.reloads',
  kind: 'counter',
  unit: '{event}',
  about:
    'Readers of live events who were told to read everything anew: their id was unknown or too old, they were slow, or events were missed.',
  place: 'gateway',
  labels: { 'parlance.reload.reason': reloadReasons },
});
