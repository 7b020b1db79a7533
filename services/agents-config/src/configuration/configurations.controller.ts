// Saving and reading what an agent runs with.
import { Controller } from '@nestjs/common';
import {
  type AgentConfiguration,
  type Caller,
  type contract,
  events,
  type Result,
  serviceRequests,
  type VoiceCatalog,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { announce } from '@parlance/persistence';
import { type RpcRequest, Serves } from '@parlance/rpc';
import type { SecretMentions } from '@parlance/webhooks';
import type { AgentRow } from '../agents/agent-record.js';
import { getAgent, lockAgent, setConfigVersion } from '../agents/agents-repository.js';
import { voiceCatalog } from '../catalog/voice-catalog.js';
import { Parts } from '../parts.js';
import { toDocument } from './configuration-document.js';
import { checkConfiguration } from './configuration-rules.js';
import {
  findConfigurationOfCommand,
  getConfiguration,
  getStoredConfiguration,
  insertConfiguration,
} from './configurations-repository.js';
import { mentionsOf } from './secret-references.js';
import { toStored } from './stored-webhooks.js';

type Contract = typeof contract;
type SecretReferences = (typeof serviceRequests)['agentsSecretReferences'];

/** The first save creates a configuration, every later one updates it; the two are different permissions. */
const checkPermission = (caller: Caller, currentVersion: number | null): void => {
  const required = currentVersion === null ? 'agentConfiguration:create' : 'agentConfiguration:update';
  if (!caller.permissions.includes(required)) {
    throw new AppError('PERMISSION_DENIED', { details: { required } });
  }
};

@Controller()
@Serves()
export class ConfigurationsController {
  constructor(private readonly parts: Parts) {}

  async 'agents.voiceCatalog'(_request: RpcRequest<Contract['agentsVoiceCatalog']>): Promise<VoiceCatalog> {
    return voiceCatalog;
  }

  async 'agents.saveConfig'({
    params,
    body,
    caller,
    commandId,
    requestId,
  }: RpcRequest<Contract['agentsSaveConfig']>): Promise<AgentConfiguration> {
    const { organizationId } = caller;
    const now = this.parts.clock.now();
    return this.parts.db.transaction(async (tx) => {
      const agent = await lockAgent(tx, organizationId, params.agentId);
      const saved = commandId && (await findConfigurationOfCommand(tx, organizationId, agent.id, commandId));
      if (saved) return saved;
      checkPermission(caller, agent.config_version);
      checkConfiguration(body, { catalog: voiceCatalog, urls: this.parts.urls });
      const { keyring } = this.parts;
      const previous =
        agent.config_version === null
          ? undefined
          : await getStoredConfiguration(tx, organizationId, agent.id, agent.config_version);
      const document = toStored(toDocument(body), previous, { keyring, organizationId, agentId: agent.id });
      await this.#refer(organizationId, agent, mentionsOf(document), requestId);
      const version = (agent.config_version ?? 0) + 1;
      const written = { agentId: agent.id, version, document, commandId, now };
      const configuration = await insertConfiguration(tx, organizationId, written);
      await setConfigVersion(tx, organizationId, agent.id, version, now);
      const about = { agentId: agent.id, name: agent.name, configVersion: version };
      await announce(tx, this.parts, events.agentConfigured, organizationId, about);
      return configuration;
    });
  }

  async 'agents.getConfig'({
    params,
    caller,
  }: RpcRequest<Contract['agentsGetConfig']>): Promise<AgentConfiguration> {
    const agent = await getAgent(this.parts.db, caller.organizationId, params.agentId);
    return getConfiguration(this.parts.db, caller.organizationId, agent.id, agent.config_version);
  }

  async 'agents.secretReferences'({
    body,
    caller,
  }: RpcRequest<SecretReferences>): Promise<Result<SecretReferences>> {
    const { organizationId } = caller;
    return this.parts.db.transaction(async (tx) => {
      // The lock waits for a save that is under way, so that the answer holds the mentions of that save.
      const { id, name, config_version: version } = await lockAgent(tx, organizationId, body.agentId);
      if (version === null) return { ids: [], names: [], name };
      return { ...mentionsOf(await getStoredConfiguration(tx, organizationId, id, version)), name };
    });
  }

  /**
   * Has the mentions noted before the version is written, and while the agent is locked: a secret cannot be deleted
   * between the two. A save that fails after this leaves mentions behind, which are looked at again.
   * @throws AppError SECRET_NOT_FOUND
   */
  async #refer(
    organizationId: string,
    { id, name }: AgentRow,
    { ids, names }: SecretMentions,
    requestId: string,
  ): Promise<void> {
    if (ids.length + names.length === 0) return;
    const caller = this.parts.callerFor(organizationId);
    const user = { id, type: 'agent', name } as const;
    await this.parts.rpc.call(
      serviceRequests.secretsRefer,
      { body: { user, ids, names } },
      { caller, requestId },
    );
  }
}
