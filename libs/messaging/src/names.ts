// Names on the broker that are not rows of the contract. They are streams, consumers, inboxes, and the subjects of
// readiness and of revoked credentials.
import { type EventDefinition, eventSubject, type ServiceName } from '@parlance/contracts';

/** The one JetStream stream, of the integration events of all services. */
export const eventStreamName = 'PARLANCE_EVENTS';
/** The subjects that the stream keeps. */
export const eventSubjects = 'parlance.evt.>';

/** The events of one service. */
export const eventsOf = (service: ServiceName): string => `parlance.evt.${service}.>`;

/** All versions of an event, so that a version from the future is noticed. */
export const eventFilter = (event: Pick<EventDefinition, 'name' | 'version'>): string =>
  eventSubject(event).replace(/\.v\d+$/, '.*');

/** `agents` and `parlance.evt.calls-logs.call.ended.*` make `agents_calls-logs_call_ended`. */
export const durableName = (durable: string, filter: string): string =>
  `${durable}_${filter
    .replace(/^parlance\.evt\./, '')
    .replace(/\.\*$/, '')
    .replaceAll('.', '_')}`;

/** The subject on which the copies of a service report their readiness. */
export const readinessSubject = (service: ServiceName | '*'): string => `parlance.ready.${service}`;
/** The subject on which a gateway that has just started asks for the reports. */
export const readinessQuestion = 'parlance.ready-ask';
/** The subject on which gateways tell each other the credentials to forget. */
export const revocationsSubject = 'parlance.gateway.credentials';

/** The consumer of the gateways, one for all of them. It ends when no gateway listens. */
export const liveConsumerName = 'gateway-live';
/** The subject on which the broker hands every gateway every event of the stream. */
export const liveEventsSubject = 'parlance.gateway.events';

/** The inboxes of a user without inboxes of its own; the client library's own choice. */
export const sharedInboxes = '_INBOX';
/** The inboxes of a service. No other service hears answers there. */
export const inboxesOf = (service: ServiceName): string => `_INBOX_${service}`;
/** The part of a service's inboxes where the readers of its streamed answers speak to it. */
export const readers = 'readers';
