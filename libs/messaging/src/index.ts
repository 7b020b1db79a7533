export { authorizationBlock, passwordVariableOf, userNames, userOfProcess } from './configuration.js';
export {
  durableName,
  eventFilter,
  eventStreamName,
  eventSubjects,
  inboxesOf,
  liveConsumerName,
  liveEventsSubject,
  readers,
  readinessQuestion,
  readinessSubject,
  revocationsSubject,
  sharedInboxes,
} from './names.js';
export { administrator, type BrokerUser, isServiceUser, serviceUsers, usersOf } from './users.js';
