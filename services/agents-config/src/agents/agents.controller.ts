// Agents: create, list, change, delete; and what other services ask about them.
import { Controller } from '@nestjs/common';
import { type Agent, type contract, events, makeEvent, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { addToOutbox, type Tx } from '@parlance/persistence';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { getConfiguration, insertConfiguration } from '../configuration/configurations-repository.js';
import { Parts } from '../parts.js';
import { findTemplate, type Template } from '../templates/templates.js';
import { type AgentRow, toAgent } from './agent-record.js';
import {
  deleteAgent,
  getAgent,
  insertAgent,
  listAgents,
  setConfigVersion,
  updateAgent,
} from './agents-repository.js';

type Contract = typeof contract;
type Requests = typeof serviceRequests;

const templateOf = (templateId: string | null | undefined): Template | undefined => {
  if (templateId === null || templateId === undefined) return undefined;
  const template = findTemplate(templateId);
  if (!template) throw new AppError('TEMPLATE_NOT_FOUND');
  return template;
};

@Controller()
@Serves()
export class AgentsController {
  constructor(private readonly parts: Parts) {}

  async 'agents.create'({ body, caller }: RpcRequest<Contract['agentsCreate']>): Promise<Agent> {
    const template = templateOf(body.templateId);
    const now = this.parts.clock.now();
    const { organizationId } = caller;
    return this.parts.db.transaction(async (tx) => {
      const agent = await insertAgent(tx, organizationId, { ...body, id: this.parts.ids.next(), now });
      await this.#tell(tx, agent, events.agentCreated, { agentId: agent.id, name: agent.name });
      if (!template?.configuration) return toAgent(agent);
      await insertConfiguration(tx, organizationId, agent.id, 1, template.configuration, now);
      return toAgent(await setConfigVersion(tx, organizationId, agent.id, 1, now));
    });
  }

  async 'agents.list'({ caller }: RpcRequest<Contract['agentsList']>): Promise<Agent[]> {
    return (await listAgents(this.parts.db, caller.organizationId)).map(toAgent);
  }

  async 'agents.update'({ params, body, caller }: RpcRequest<Contract['agentsUpdate']>): Promise<Agent> {
    templateOf(body.templateId);
    return this.parts.db.transaction(async (tx) => {
      const agent = await updateAgent(
        tx,
        caller.organizationId,
        params.agentId,
        body,
        this.parts.clock.now(),
      );
      await this.#tell(tx, agent, events.agentUpdated, {
        agentId: agent.id,
        name: agent.name,
        isActive: agent.is_active,
      });
      return toAgent(agent);
    });
  }

  async 'agents.delete'({ params, caller, requestId }: RpcRequest<Contract['agentsDelete']>): Promise<null> {
    const { organizationId } = caller;
    await getAgent(this.parts.db, organizationId, params.agentId);
    await this.#refuseWhileInUse(organizationId, params.agentId, requestId);
    await this.parts.db.transaction(async (tx) => {
      const agent = await deleteAgent(tx, organizationId, params.agentId);
      await this.#tell(tx, agent, events.agentDeleted, { agentId: agent.id, name: agent.name });
    });
    return null;
  }

  async 'agents.forCall'({ body, caller }: RpcRequest<Requests['agentsForCall']>) {
    const agent = await getAgent(this.parts.db, caller.organizationId, body.agentId);
    const { config_version: configVersion } = agent;
    const configuration =
      configVersion === null
        ? undefined
        : await getConfiguration(this.parts.db, caller.organizationId, agent.id, configVersion);
    return {
      agentId: agent.id,
      name: agent.name,
      isActive: agent.is_active,
      configVersion,
      allowedOverrides: configuration?.allowedOverrides ?? [],
    };
  }

  /** Asks the services that would know, and fails closed: an agent in a call is never deleted for lack of an answer. */
  async #refuseWhileInUse(organizationId: string, agentId: string, requestId: string): Promise<void> {
    const context = { caller: await this.parts.platformToken(organizationId), requestId };
    const [live, open] = await Promise.all([
      this.parts.rpc.call(serviceRequests.callsLiveCountOfAgent, { body: { agentId } }, context),
      this.parts.rpc.call(serviceRequests.outboundCallsOpenCountOfAgent, { body: { agentId } }, context),
    ]);
    if (live.data.live + open.data.open > 0) throw new AppError('AGENT_IN_USE');
  }

  #tell(
    tx: Tx,
    agent: AgentRow,
    definition: typeof events.agentCreated | typeof events.agentUpdated | typeof events.agentDeleted,
    data: { agentId: string; name: string; isActive?: boolean },
  ): Promise<void> {
    const occurredAt = this.parts.clock.now().toISOString();
    const event = { id: this.parts.ids.next(), organizationId: agent.organization_id, occurredAt, data };
    return addToOutbox(
      tx,
      makeEvent(definition, event as Parameters<typeof makeEvent<typeof definition>>[1]),
    );
  }
}
