// One user of the broker for each service, with the subjects that it needs and no other. Folded from the contract.
import {
  type Callable,
  callables,
  consumersOf,
  events,
  isAnswered,
  isStreaming,
  releasedServices,
  type ServiceName,
  subjectOf,
  subjectsOf,
} from '@parlance/contracts';
import {
  durableName,
  eventFilter,
  eventStreamName,
  eventSubjects,
  eventsOf,
  inboxesOf,
  liveConsumerName,
  liveEventsSubject,
  readers,
  readinessQuestion,
  readinessSubject,
  revocationsSubject,
  sharedInboxes,
} from './names.js';

export interface BrokerUser {
  /** The name of its service. */
  readonly name: ServiceName;
  /** Subjects, with the broker's wildcards. */
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** May do everything: makes the event stream, and looks after the broker. No process that runs for long signs in with it. */
export const administrator = 'parlance';

const rows: readonly Callable[] = callables;

/**
 * Here the processes of an earlier release listen, which all signed in as the administrator. No process of this release does, but
 * those of the administrator, for moments.
 */
const formerProcesses = `${sharedInboxes}.>`;

const askersOf = (service: ServiceName): readonly ServiceName[] =>
  releasedServices.filter((asker) => rows.some((row) => row.service === service && isAnswered(asker, row)));

const publishesEvents = (service: ServiceName): boolean =>
  Object.values(events).some(({ name }) => name.startsWith(`${service}.`));

/** The subjects to ask, and to speak to the senders of streamed answers. */
const asks = (service: ServiceName): readonly string[] => {
  const asked = rows.filter((row) => isAnswered(service, row));
  const senders = new Set(asked.filter(isStreaming).map((row) => row.service));
  const toSenders = [...senders].map((sender) => `${inboxesOf(sender)}.${readers}.*`);
  return [...asked.map(subjectOf), ...toSenders, ...(senders.size > 0 ? [formerProcesses] : [])];
};

/** Each asker has inboxes for the answers of one service, so that no service can answer for another. */
const answers = (service: ServiceName): readonly string[] => {
  const askers = askersOf(service);
  if (askers.length === 0) return [];
  return [...askers.map((asker) => `${inboxesOf(asker)}.${service}.>`), formerProcesses];
};

/** The rights to ask for the stream, and to make it again once it is lost. An existing stream is never changed. */
const usesStream = ['INFO', 'CREATE'].map((verb) => `$JS.API.STREAM.${verb}.${eventStreamName}`);

/** A consumer is made for its own events alone, which its subject names. */
const consumes = (service: ServiceName): readonly string[] =>
  consumersOf(service).flatMap(({ durable, events: heard }) =>
    heard.map(eventFilter).flatMap((filter) => {
      const consumer = `${eventStreamName}.${durableName(durable, filter)}`;
      return [
        `$JS.API.CONSUMER.INFO.${consumer}`,
        `$JS.API.CONSUMER.CREATE.${consumer}.${filter}`,
        `$JS.API.CONSUMER.MSG.NEXT.${consumer}`,
        `$JS.ACK.${consumer}.>`,
      ];
    }),
  );

/** The gateways make one consumer by its name; the broker sends to them without being asked. */
const followsAll = [
  `$JS.API.CONSUMER.CREATE.${eventStreamName}.${liveConsumerName}.${eventSubjects}`,
] as const;

const userOf = (name: ServiceName): BrokerUser => {
  const isGateway = name === 'gateway';
  return {
    name,
    publish: [
      ...asks(name),
      ...answers(name),
      ...(publishesEvents(name) ? [eventsOf(name)] : []),
      ...usesStream,
      ...consumes(name),
      ...(isGateway ? [readinessQuestion, revocationsSubject, ...followsAll] : [readinessSubject(name)]),
    ],
    subscribe: [
      `${inboxesOf(name)}.>`,
      ...(askersOf(name).length > 0 ? [subjectsOf(name)] : []),
      ...(isGateway ? [readinessSubject('*'), revocationsSubject, liveEventsSubject] : [readinessQuestion]),
    ],
  };
};

/** A user for each service, with the rights that the contract gives it. */
export const usersOf = (services: readonly ServiceName[]): readonly BrokerUser[] => services.map(userOf);

/** Every user but the administrator. */
export const serviceUsers: readonly BrokerUser[] = usersOf(releasedServices);

/** True for the name of a user with inboxes of its own. */
export const isServiceUser = (name: string): name is ServiceName =>
  releasedServices.some((known) => known === name);
