export { type CommandHost, type Installation, runCommand } from './command.js';
export { commands } from './commands.js';
export {
  type EventSourcedService,
  eventSourcedService,
  type OpenedStreams,
  type ServiceReadModel,
} from './event-sourced-service.js';
export { runServiceCommand, type ServiceMainHost } from './service-main.js';
