export {
  Egress,
  type EgressOpening,
  type EgressOptions,
  type EgressRequest,
  type EgressResponse,
  type OpenResponse,
} from './egress.js';
export { asFailure, EgressFailure, type FailureReason, type RefusalReason } from './failures.js';
export { parseForeignJson } from './json.js';
export type { Resolve } from './resolve.js';
export { UrlRules, type UrlRulesOptions } from './url-rules.js';
