export {
  attempts,
  attemptsOldest,
  attemptsOpen,
  campaigns,
  campaignsPaused,
  campaignsStalled,
  installationLimit,
  installationRefusals,
  installationUsed,
  paceGranted,
  paceWait,
  placesUsed,
  placesWaiting,
} from './catalogue/calls.js';
export { catalogue, setLimits } from './catalogue/catalogue.js';
export { type InstrumentDefinition, mostSeriesOf, setsOf } from './catalogue/definition.js';
export {
  consumerBacklog,
  liveEventsSent,
  liveReloads,
  liveStreamsOpen,
  messagesParked,
  outboxAge,
  outboxSent,
  outboxSize,
  projectionActive,
  projectionLag,
  projectionParked,
} from './catalogue/events.js';
export { jobQueues, processNames, routes, runtimeNames } from './catalogue/label-values.js';
export {
  backgroundWaiting,
  dependencyUp,
  memory,
  poolConnections,
  poolMost,
  poolWaiting,
  ready,
  troubledParts,
} from './catalogue/process.js';
export {
  httpActive,
  httpDuration,
  httpResponses,
  rpcActive,
  rpcDuration,
  rpcExpired,
  rpcOverloaded,
  rpcRepeated,
} from './catalogue/requests.js';
export {
  eventLoopP99,
  eventLoopUtilization,
  garbageCollection,
  heapUsed,
} from './catalogue/runtime.js';
export { modelFallbacks, turnSteps, turnTime, voiceCalls, voiceJobsLost } from './catalogue/voice.js';
export {
  callAnalyses,
  jobsLag,
  knowledgeJobs,
  knowledgeReadings,
  mcpExecutions,
  quotaRefusals,
  toolExecutions,
  webhooksWaiting,
  webhookTries,
  widgetSessions,
} from './catalogue/work.js';
export { metricsPage } from './page.js';
export { prometheusLabel, prometheusName } from './prometheus/names.js';
export { contentTypes, renderMetrics, type TextFormat } from './prometheus/text.js';
export type { Labels } from './recording/bounded-labels.js';
export { keepExemplars } from './recording/exemplars.js';
export { counter, histogram, isMeasuring, observe, type Reading } from './recording/handles.js';
