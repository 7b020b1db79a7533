export { type CallChoices, type Choices, callChoices, catalogIssues } from './catalog/catalog-rules.js';
export type { ModelPrices } from './catalog/prices.js';
export { type Dialect, keyVariables, type ModelKind } from './catalog/vendors.js';
export { defaults, voiceCatalog } from './catalog/voice-catalog.js';
export { ModelEgress, type ModelEgressEnv, type ModelGuards, modelEgress } from './endpoints/egress.js';
export type { Endpoint, OpenAiEndpoint, PluginEndpoint } from './endpoints/endpoint.js';
export {
  endpointsFor,
  type KeySource,
  type ResolvedModels,
  type UnusableModel,
} from './endpoints/endpoints.js';
export { modelKeysEnv } from './endpoints/env.js';
export { catalogWith, pricesOf, voiceNameOf } from './operator/catalog.js';
export {
  type CustomModel,
  type ModelsFile,
  noModelsFile,
  parseModelsFile,
  readModelsFile,
} from './operator/models-file.js';
export { openModels, type SecretSource } from './organization/open-models.js';
export {
  mayBeOfOrganization,
  type OrganizationModel,
  type OrganizationModels,
} from './organization/organization-models.js';
export { ModelKeyPair, sealModelKey } from './organization/sealed-keys.js';
