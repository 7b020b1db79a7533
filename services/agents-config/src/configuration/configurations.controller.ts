// Saving and reading what an agent runs with.
import { Controller } from '@nestjs/common';
import {
  type AgentConfiguration,
  type Caller,
  type contract,
  events,
  type VoiceCatalog,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { getAgent, lockAgent, setConfigVersion } from '../agents/agents-repository.js';
import { announce } from '../announce.js';
import { voiceCatalog } from '../catalog/voice-catalog.js';
import { Parts } from '../parts.js';
import { checkConfiguration } from './configuration-rules.js';
import {
  findConfigurationOfCommand,
  getConfiguration,
  insertConfiguration,
} from './configurations-repository.js';

type Contract = typeof contract;

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
  }: RpcRequest<Contract['agentsSaveConfig']>): Promise<AgentConfiguration> {
    const { organizationId } = caller;
    const now = this.parts.clock.now();
    return this.parts.db.transaction(async (tx) => {
      const agent = await lockAgent(tx, organizationId, params.agentId);
      const saved = commandId && (await findConfigurationOfCommand(tx, organizationId, agent.id, commandId));
      if (saved) return saved;
      checkPermission(caller, agent.config_version);
      checkConfiguration(body, { catalog: voiceCatalog, urls: this.parts.urls });
      const version = (agent.config_version ?? 0) + 1;
      const written = { agentId: agent.id, version, configuration: body, commandId, now };
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
}
