export { type CommandHost, type Installation, type OperatorCommand, runCommand } from './command.js';
export { commands } from './commands.js';
export { type ErasingService, erasuresCommand } from './erasures-command.js';
export {
  type ApplyErasures,
  type ErasureEngines,
  type EventSourcedService,
  eventSourcedService,
  type OpenedStreams,
  type ServiceErasures,
  type ServiceReadModel,
} from './event-sourced-service.js';
export { UsageError } from './failures.js';
export type { ServiceCommand, ServiceGiven } from './service-command.js';
export { runOperatorCommand } from './service-commands.js';
export { runServiceCommand, type ServiceMainHost } from './service-main.js';
export { text } from './values.js';
