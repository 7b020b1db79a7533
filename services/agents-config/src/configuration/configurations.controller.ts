// Saving and reading what an agent runs with, and handing it to the voice runtime.
import { Controller } from '@nestjs/common';
import {
  type AgentConfiguration,
  type Caller,
  type contract,
  events,
  makeEvent,
  type RuntimeConfig,
  type VoiceCatalog,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { addToOutbox } from '@parlance/persistence';
import { type RpcRequest, Serves } from '@parlance/rpc';
import type { z } from 'zod';
import {
  getAgent,
  getAgentOfAnyOrganization,
  lockAgent,
  setConfigVersion,
} from '../agents/agents-repository.js';
import { voiceCatalog } from '../catalog/voice-catalog.js';
import { Parts } from '../parts.js';
import { getConfiguration, insertConfiguration } from './configurations-repository.js';
import { checkConfiguration } from './rules.js';

type Contract = typeof contract;

/** The first save creates a configuration, every later one updates it; the two are different permissions. */
const checkPermission = (caller: Caller, currentVersion: number | null): void => {
  const required = currentVersion === null ? 'agentConfiguration:create' : 'agentConfiguration:update';
  if (!caller.permissions.includes(required))
    throw new AppError('PERMISSION_DENIED', { details: { required } });
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
  }: RpcRequest<Contract['agentsSaveConfig']>): Promise<AgentConfiguration> {
    const { organizationId } = caller;
    const now = this.parts.clock.now();
    return this.parts.db.transaction(async (tx) => {
      // Before anything else is said about the body: a foreign agent is unknown, whatever is sent for it.
      const agent = await lockAgent(tx, organizationId, params.agentId);
      checkPermission(caller, agent.config_version);
      checkConfiguration(body, this.parts.hostsAllowedInside);
      const version = (agent.config_version ?? 0) + 1;
      const saved = await insertConfiguration(tx, organizationId, agent.id, version, body, now);
      await setConfigVersion(tx, organizationId, agent.id, version, now);
      const data = { agentId: agent.id, name: agent.name, configVersion: version };
      const event = { id: this.parts.ids.next(), occurredAt: now.toISOString(), organizationId, data };
      await addToOutbox(tx, makeEvent(events.agentConfigured, event));
      return saved;
    });
  }

  async 'agents.getConfig'({
    params,
    caller,
  }: RpcRequest<Contract['agentsGetConfig']>): Promise<AgentConfiguration> {
    const agent = await getAgent(this.parts.db, caller.organizationId, params.agentId);
    return getConfiguration(this.parts.db, caller.organizationId, agent.id, agent.config_version);
  }

  async 'internal.agentConfig'({
    params,
  }: RpcRequest<Contract['internalAgentConfig']>): Promise<z.input<typeof RuntimeConfig>> {
    const agent = await getAgentOfAnyOrganization(this.parts.db, params.agentId);
    if (!agent.is_active) throw new AppError('AGENT_INACTIVE');
    if (agent.config_version === null) throw new AppError('AGENT_NOT_CONFIGURED');
    const organizationId = agent.organization_id;
    return {
      agent: { id: agent.id, name: agent.name, organizationId, isActive: agent.is_active },
      config: await getConfiguration(this.parts.db, organizationId, agent.id, agent.config_version),
      tools: [],
      mcpConnections: [],
      knowledge: { sourceIds: [] },
    };
  }
}
