import type { ReadSecretsInUse } from '@parlance/service-host';
import { lockAgent } from '../agents/agents-repository.js';
import { getStoredConfiguration } from './configurations-repository.js';
import { mentionsOf, usesOf } from './secret-references.js';

/** The secrets of the configuration in force. @throws AppError AGENT_NOT_FOUND */
export const secretsOfAgent: ReadSecretsInUse = async (tx, organizationId, agentId) => {
  // A release before locks the agent for the whole of a save, instead of noting it.
  const { id, name, config_version: version } = await lockAgent(tx, organizationId, agentId);
  if (version === null) return { ids: [], names: [], uses: [], name };
  const stored = await getStoredConfiguration(tx, organizationId, id, version);
  return { ...mentionsOf(stored), uses: usesOf(stored), name };
};
