// Versions of agent configurations in Postgres. A version is written once and never changed.
import type { AgentConfiguration } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { stringifyStored } from '@parlance/json';
import { queryAtCommit, type Tx } from '@parlance/postgres';
import { withWarnings } from './placeholder-rules.js';
import { type StoredConfiguration, type StoredDocument, shown } from './stored-webhooks.js';

export interface NewVersion {
  readonly agentId: string;
  readonly version: number;
  readonly document: StoredDocument;
  readonly commandId?: string | undefined;
  /** The actor, such as `user:...`. */
  readonly savedBy: string;
  /** The version that this one repeats. */
  readonly restoredFrom?: number | undefined;
  readonly now: Date;
}

interface ConfigurationRow {
  readonly agent_id: string;
  readonly version: number;
  readonly document: StoredDocument;
  readonly created_at: Date;
}

const columns = 'agent_id, version, document, created_at';

const toStoredConfiguration = (row: ConfigurationRow): StoredConfiguration => ({
  ...row.document,
  agentId: row.agent_id,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.created_at.toISOString(),
});

const toConfiguration = (row: ConfigurationRow): AgentConfiguration =>
  withWarnings(shown(toStoredConfiguration(row)));

/** Call this only while the agent is locked: the next version is one more than the last. */
export const insertConfiguration = async (
  tx: Tx,
  organizationId: string,
  { agentId, version, document, commandId, savedBy, restoredFrom, now }: NewVersion,
): Promise<AgentConfiguration> => {
  await queryAtCommit(tx, {
    text: `insert into agent_configurations
             (organization_id, agent_id, version, document, headers_sealed, command_id, created_at, saved_by, restored_from)
           values ($1, $2, $3, $4, true, $5, $6, $7, $8)`,
    values: [
      ...[organizationId, agentId, version, stringifyStored(document), commandId ?? null, now],
      ...[savedBy, restoredFrom ?? null],
    ],
  });
  return toConfiguration({ agent_id: agentId, version, document, created_at: now });
};

const findStored = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  version: number | null,
): Promise<StoredConfiguration | undefined> => {
  const { rows } = await tx.query<ConfigurationRow>({
    name: 'get_configuration',
    text: `select ${columns} from agent_configurations
           where organization_id = $1 and agent_id = $2 and version = $3`,
    values: [organizationId, agentId, version],
  });
  return rows[0] && toStoredConfiguration(rows[0]);
};

/** The stored form, for sending its webhooks. @throws AppError CONFIG_NOT_FOUND */
export const getStoredConfiguration = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  version: number | null,
): Promise<StoredConfiguration> => {
  const stored = await findStored(tx, organizationId, agentId, version);
  if (!stored) throw new AppError('CONFIG_NOT_FOUND');
  return stored;
};

/** The version that a caller names. @throws AppError CONFIG_VERSION_NOT_FOUND */
export const getVersion = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  version: number,
): Promise<StoredConfiguration> => {
  const stored = await findStored(tx, organizationId, agentId, version);
  if (!stored) throw new AppError('CONFIG_VERSION_NOT_FOUND');
  return stored;
};

/** The form for readers. @throws AppError CONFIG_NOT_FOUND */
export const getConfiguration = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  version: number | null,
): Promise<AgentConfiguration> =>
  withWarnings(shown(await getStoredConfiguration(tx, organizationId, agentId, version)));

/** The version that this command has saved already. */
export const findConfigurationOfCommand = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  commandId: string,
): Promise<AgentConfiguration | undefined> => {
  const { rows } = await tx.query<ConfigurationRow>(
    `select ${columns} from agent_configurations
     where organization_id = $1 and agent_id = $2 and command_id = $3`,
    [organizationId, agentId, commandId],
  );
  return rows[0] && toConfiguration(rows[0]);
};
