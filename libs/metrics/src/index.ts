export { catalogue, setLimits } from './catalogue/catalogue.js';
export { routes } from './catalogue/label-values.js';
export {
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
} from './catalogue/requests.js';
export { type InstrumentDefinition, mostSeriesOf, setsOf } from './definition.js';
export { metricsPage } from './page.js';
export { contentTypes, renderMetrics, type TextFormat } from './prometheus/text.js';
export type { Labels } from './recording/bounded-labels.js';
export { keepExemplars } from './recording/exemplars.js';
export { counter, histogram, isMeasuring, observe, type Reading } from './recording/handles.js';
