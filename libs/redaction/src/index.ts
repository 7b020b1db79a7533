export { type Finding, personalKinds, type SearchContext } from './finding.js';
export { namesInVariables } from './names.js';
export { personalDataIn, type Redacted, type RedactionOptions, redact, redactJson } from './redact.js';
export { ConversationRedactor, type RedactableTurn, redactTurns } from './turns.js';
