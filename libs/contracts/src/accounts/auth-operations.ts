// The door at /auth/*: every path that it has, and nothing else.
import { accountOperations } from './account.js';
import { apiKeyOperations } from './api-keys.js';
import type { AuthOperation } from './auth-operation.js';
import { confirmationOperations } from './confirmation.js';
import { organizationOperations } from './organization.js';
import { secondFactorOperations } from './second-factor.js';

const rows = [
  ...accountOperations,
  ...confirmationOperations,
  ...secondFactorOperations,
  ...organizationOperations,
  ...apiKeyOperations,
] as const;

/** Any row, with its literals. */
export type AnyAuthOperation = (typeof rows)[number];
export type AuthOperationId = AnyAuthOperation['id'];

export const authOperations: readonly (AuthOperation & { readonly id: AuthOperationId })[] = rows;
