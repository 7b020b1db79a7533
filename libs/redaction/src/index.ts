export { type Finding, personalKinds, type SearchContext } from './finding.js';
export { personalDataIn, type Redacted, type RedactionOptions, redact, redactJson } from './redact.js';
