// Versions of agent configurations. A version is written once and never changed.
import type { AgentConfiguration, AgentConfigurationInput } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/persistence';
import type { z } from 'zod';

export type Configuration = z.output<typeof AgentConfigurationInput>;

interface ConfigurationRow {
  readonly agent_id: string;
  readonly version: number;
  readonly document: StoredDocument;
  readonly created_at: Date;
}

type StoredDocument = Omit<AgentConfiguration, 'agentId' | 'version' | 'createdAt' | 'updatedAt'>;

/** Puts shorthand variables into their long form and unknown `x_` keys under `extra`. */
export const toDocument = (configuration: Configuration): StoredDocument => {
  const extra = Object.entries(configuration).filter(([key]) => key.startsWith('x_'));
  const known = Object.fromEntries(Object.entries(configuration).filter(([key]) => !key.startsWith('x_')));
  const variables = Object.entries(configuration.variables).map(([key, value]) => [
    key,
    typeof value === 'string' ? { default: value } : value,
  ]);
  // `known` holds exactly the fields of the input schema, which are those of the stored document.
  return {
    ...known,
    variables: Object.fromEntries(variables),
    extra: Object.fromEntries(extra),
  } as StoredDocument;
};

const toConfiguration = (row: ConfigurationRow): AgentConfiguration => ({
  ...row.document,
  agentId: row.agent_id,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.created_at.toISOString(),
});

export const insertConfiguration = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  version: number,
  configuration: Configuration,
  now: Date,
): Promise<AgentConfiguration> => {
  const { rows } = await tx.query<ConfigurationRow>(
    `insert into agent_configurations (organization_id, agent_id, version, document, created_at)
     values ($1, $2, $3, $4, $5) returning agent_id, version, document, created_at`,
    [organizationId, agentId, version, JSON.stringify(toDocument(configuration)), now],
  );
  const [row] = rows;
  if (!row) throw new AppError('INTERNAL_ERROR', { cause: new Error('insert returned no row') });
  return toConfiguration(row);
};

/** @throws AppError CONFIG_NOT_FOUND */
export const getConfiguration = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  version: number | null,
): Promise<AgentConfiguration> => {
  const { rows } = await tx.query<ConfigurationRow>(
    `select agent_id, version, document, created_at from agent_configurations
     where organization_id = $1 and agent_id = $2 and version = $3`,
    [organizationId, agentId, version],
  );
  const [row] = rows;
  if (!row) throw new AppError('CONFIG_NOT_FOUND');
  return toConfiguration(row);
};
