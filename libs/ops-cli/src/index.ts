export { type CommandHost, type Installation, runCommand, text } from './command.js';
export { commands } from './commands.js';
export {
  type EventSourcedService,
  eventSourcedService,
  type OpenedStreams,
  type ServiceReadModel,
} from './event-sourced-service.js';
export { UsageError } from './failures.js';
export { runOperatorCommand, type ServiceCommand, type ServiceGiven } from './service-commands.js';
export { runServiceCommand, type ServiceMainHost } from './service-main.js';
