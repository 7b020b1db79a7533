export {
  type EventSourcedService,
  eventSourcedService,
  type OpenedStreams,
  type ServiceReadModel,
} from './event-sourced-service.js';
export { describeFailure, UsageError } from './failures.js';
export { listOf, rebuildCommand, replayCommand, type Workplace } from './read-model-commands.js';
export { runServiceCommand, type ServiceMainHost } from './service-main.js';
export { type Output, type Progress, type ProgressBar, progressBar } from './terminal.js';
