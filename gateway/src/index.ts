export {
  createFirstOrganization,
  type FirstOrganization,
  type FirstOrganizationOptions,
  prepareAccounts,
} from './auth/first-organization.js';
export { buildContractDocument, buildOpenApi } from './docs/openapi.js';
export { Env } from './environment/env.js';
export { operations } from './operations.js';
export { type Gateway, type StartOptions, start } from './start.js';
