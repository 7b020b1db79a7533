// Saving and reading the configurations of agents.
import { Controller } from '@nestjs/common';
import {
  type AgentConfiguration,
  type Caller,
  type ConfigurationVersion,
  type contract,
  impossiblePlaceholders,
  type Result,
  type serviceRequests,
  type VoiceCatalog,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { callChoices } from '@parlance/models';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { savingSecrets, secretsInUse } from '@parlance/service-host';
import { getAgent, lockAgent } from '../agents/agents-repository.js';
import { Parts } from '../parts.js';
import { askedFor } from './asked-variables.js';
import { listVersions } from './configuration-versions.js';
import {
  findConfigurationOfCommand,
  getConfiguration,
  getStoredConfiguration,
  getVersion,
} from './configurations-repository.js';
import { spokenTexts, withWarnings } from './placeholder-rules.js';
import { restoredConfiguration } from './restored-configuration.js';
import { saveVersion } from './save-version.js';
import { secretsOfAgent } from './secrets-in-use.js';
import { shown } from './stored-webhooks.js';

type Contract = typeof contract;
type Placeholders = (typeof serviceRequests)['agentsPlaceholders'];
type SecretReferences = (typeof serviceRequests)['agentsSecretReferences'];

const defaultPageSize = 20;
/** Postgres' largest integer: no version has this number. */
const beyondAll = 2_147_483_647;

/** The first save creates a configuration, every later one updates it; the two are different permissions. */
const checkPermission = (caller: Caller, currentVersion: number | null): void => {
  const required = currentVersion === null ? 'agentConfiguration:create' : 'agentConfiguration:update';
  if (!caller.permissions.includes(required)) {
    throw new AppError('PERMISSION_DENIED', { details: { required } });
  }
};

/** @param expected the version that the caller has read, 0 for none; undefined where the caller replaces any version */
const checkExpected = (currentVersion: number | null, expected: number | undefined): void => {
  if (expected === undefined || expected === (currentVersion ?? 0)) return;
  throw new AppError('VERSION_CONFLICT', { details: { currentVersion } });
};

@Controller()
@Serves()
export class ConfigurationsController {
  constructor(private readonly parts: Parts) {}

  async 'agents.voiceCatalog'({
    caller: { organizationId },
  }: RpcRequest<Contract['agentsVoiceCatalog']>): Promise<VoiceCatalog> {
    return this.parts.catalogs.of(this.parts.db, organizationId);
  }

  async 'agents.saveConfig'({
    params,
    body,
    caller,
    commandId,
    requestId,
  }: RpcRequest<Contract['agentsSaveConfig']>): Promise<AgentConfiguration> {
    const { organizationId } = caller;
    return savingSecrets(this.parts, { organizationId, requestId }, async (tx, note) => {
      const agent = await lockAgent(tx, organizationId, params.agentId);
      const saved = commandId && (await findConfigurationOfCommand(tx, organizationId, agent.id, commandId));
      if (saved) return saved;
      checkPermission(caller, agent.config_version);
      checkExpected(agent.config_version, body.expectedVersion);
      const hidden =
        agent.config_version === null
          ? undefined
          : await getStoredConfiguration(tx, organizationId, agent.id, agent.config_version);
      return saveVersion(this.parts, tx, agent, body, { caller, note, commandId, hidden });
    });
  }

  async 'agents.getConfig'({
    params,
    caller,
  }: RpcRequest<Contract['agentsGetConfig']>): Promise<AgentConfiguration> {
    const agent = await getAgent(this.parts.db, caller.organizationId, params.agentId);
    return getConfiguration(this.parts.db, caller.organizationId, agent.id, agent.config_version);
  }

  async 'agents.listConfigVersions'({
    params,
    query: { before = beyondAll, limit = defaultPageSize },
    caller: { organizationId },
  }: RpcRequest<Contract['agentsListConfigVersions']>): Promise<ConfigurationVersion[]> {
    const { id, config_version: inForce } = await getAgent(this.parts.db, organizationId, params.agentId);
    return listVersions(this.parts.db, organizationId, { agentId: id, inForce }, { before, limit });
  }

  async 'agents.getConfigVersion'({
    params: { agentId, version },
    caller: { organizationId },
  }: RpcRequest<Contract['agentsGetConfigVersion']>): Promise<AgentConfiguration> {
    await getAgent(this.parts.db, organizationId, agentId);
    return withWarnings(shown(await getVersion(this.parts.db, organizationId, agentId, version)));
  }

  async 'agents.restoreConfigVersion'({
    params: { agentId, version },
    body: { expectedVersion },
    caller,
    commandId,
    requestId,
  }: RpcRequest<Contract['agentsRestoreConfigVersion']>): Promise<AgentConfiguration> {
    const { organizationId } = caller;
    return savingSecrets(this.parts, { organizationId, requestId }, async (tx, note) => {
      const agent = await lockAgent(tx, organizationId, agentId);
      const saved = commandId && (await findConfigurationOfCommand(tx, organizationId, agentId, commandId));
      if (saved) return saved;
      const hidden = await getVersion(tx, organizationId, agentId, version);
      checkExpected(agent.config_version, expectedVersion);
      const save = { caller, note, commandId, hidden, restoredFrom: version };
      return saveVersion(this.parts, tx, agent, restoredConfiguration(hidden), save);
    });
  }

  async 'agents.placeholders'({
    body,
    caller: { organizationId },
  }: RpcRequest<Placeholders>): Promise<Result<Placeholders>> {
    const { id, config_version: version } = await getAgent(this.parts.db, organizationId, body.agentId);
    if (version === null) return { placeholders: [], impossible: [] };
    const configuration = await getStoredConfiguration(this.parts.db, organizationId, id, version);
    return {
      placeholders: askedFor(configuration),
      impossible: impossiblePlaceholders(spokenTexts(configuration)),
      choices: callChoices(await this.parts.catalogs.of(this.parts.db, organizationId), configuration),
    };
  }

  async 'agents.secretReferences'({
    body,
    caller,
  }: RpcRequest<SecretReferences>): Promise<Result<SecretReferences>> {
    const { organizationId } = caller;
    const resource = { organizationId, type: 'agent', id: body.agentId } as const;
    return secretsInUse(this.parts.db, resource, (tx) => secretsOfAgent(tx, organizationId, body.agentId));
  }
}
