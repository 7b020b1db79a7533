export { type Clock, type Ids, systemClock, systemIds } from './clock.js';
export { currentContext, runWithContext, runWithoutDeadline, type WorkContext } from './context.js';
export {
  type Engine,
  isSupported,
  refuseOldEngine,
  startVersionWatch,
  supportedFrom,
  type VersionWatchOptions,
} from './engine-versions.js';
export { createLogger, type Logger, type LoggerOptions } from './logger.js';
export {
  type CheckName,
  type CheckOptions,
  type CheckReport,
  checkNames,
  Readiness,
  type ReadinessReport,
  ShownReason,
} from './readiness.js';
export { type RoundsOptions, startRounds } from './rounds.js';
export { type ProcessHost, type RunMainOptions, runMain } from './run-main.js';
export type { RunningPart, RunningService } from './running.js';
export { scrub } from './scrub.js';
export {
  flushTelemetry,
  startTelemetry,
  type Telemetry,
  type TelemetryOptions,
} from './telemetry/telemetry.js';
export { wantsTraces } from './telemetry/traces.js';
export { telemetryVariables } from './telemetry/variables.js';
