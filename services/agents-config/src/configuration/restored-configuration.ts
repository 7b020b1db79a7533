// An earlier version as a new save of it would send it, judged by the schema of today.
import { AgentConfigurationInput } from '@parlance/contracts';
import { validationError } from '@parlance/errors';
import type { Configuration } from './configuration-document.js';
import { type StoredConfiguration, shown } from './stored-webhooks.js';

/** @throws AppError VALIDATION_ERROR for a version that an older release took and this one would not */
export const restoredConfiguration = (stored: StoredConfiguration): Configuration => {
  const { agentId, version, createdAt, updatedAt, ...document } = shown(stored);
  const { success, data, error } = AgentConfigurationInput.safeParse(document);
  if (success) return data;
  throw validationError(
    error.issues.map(({ path, code, message }) => ({ path: ['body', ...path].join('.'), code, message })),
  );
};
