export { Activity } from './activity.js';
export {
  type Engine,
  isSupported,
  refuseOldEngine,
  startVersionWatch,
  supportedFrom,
  type VersionWatchOptions,
} from './engine-versions.js';
export { type Clock, type Ids, systemClock, systemIds } from './logging/clock.js';
export { currentContext, runWithContext, runWithoutDeadline, type WorkContext } from './logging/context.js';
export { createLogger, type Logger, type LoggerOptions } from './logging/logger.js';
export { scrub } from './logging/scrub.js';
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
export {
  flushTelemetry,
  startTelemetry,
  type Telemetry,
  type TelemetryOptions,
} from './telemetry/telemetry.js';
export { wantsTraces } from './telemetry/traces.js';
export { telemetryVariables } from './telemetry/variables.js';
export {
  checkRequest,
  inTransactionScope,
  outsideTransactionScope,
  refuseRequestsInTransactions,
} from './transaction-scope.js';
