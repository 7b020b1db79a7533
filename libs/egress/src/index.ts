export { Egress, type EgressOptions, type EgressRequest, type EgressResponse } from './egress.js';
export { EgressFailure, type FailureReason, type RefusalReason } from './failures.js';
export { parseForeignJson } from './json.js';
export type { Resolve } from './resolve.js';
export { UrlRules, type UrlRulesOptions } from './url-rules.js';
