export { type CallChoices, type Choices, callChoices, catalogIssues } from './catalog/catalog-rules.js';
export { defaults, voiceCatalog } from './catalog/voice-catalog.js';
export type { Endpoint, ModelKind, OpenAiEndpoint, PluginEndpoint } from './endpoints/endpoint.js';
