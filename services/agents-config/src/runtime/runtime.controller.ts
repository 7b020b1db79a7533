// What an agent runs with, for those who run it: the voice runtime at the start of a call, and calls-logs at its end.
import { Controller } from '@nestjs/common';
import {
  type CallAtStart,
  type contract,
  type Data,
  events,
  type Initiation,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { type AgentRow, ready } from '../agents/agent-record.js';
import { getAgent, getAgentOfAnyOrganization } from '../agents/agents-repository.js';
import { announce } from '../announce.js';
import { getConfiguration } from '../configuration/configurations-repository.js';
import { Parts } from '../parts.js';

type AgentConfig = (typeof contract)['internalAgentConfig'];
type PostCallWebhook = (typeof serviceRequests)['agentsPostCallWebhook'];

@Controller()
@Serves()
export class RuntimeController {
  constructor(private readonly parts: Parts) {}

  async 'internal.agentConfig'({
    params,
    query,
    deadline,
  }: RpcRequest<AgentConfig>): Promise<Data<AgentConfig>> {
    const { db, initiations } = this.parts;
    const agent = ready(await getAgentOfAnyOrganization(db, params.agentId));
    const organizationId = agent.organization_id;
    const saved = await getConfiguration(db, organizationId, agent.id, agent.config_version);
    const { config, initiation } = await initiations.ask(organizationId, saved, query, deadline);
    if (initiation !== null) await this.#record(agent, query, initiation);
    return {
      agent: { id: agent.id, name: agent.name, organizationId, isActive: agent.is_active },
      config,
      // Filled from the events of their services, as those come to be.
      tools: [],
      mcpConnections: [],
      knowledge: { sourceIds: [] },
      initiation,
    };
  }

  async 'agents.postCallWebhook'({
    body,
    caller,
  }: RpcRequest<PostCallWebhook>): Promise<Result<PostCallWebhook>> {
    const { organizationId } = caller;
    const agent = await getAgent(this.parts.db, organizationId, body.agentId);
    const version = body.version ?? agent.config_version;
    const config = await getConfiguration(this.parts.db, organizationId, agent.id, version);
    const variables = Object.entries(config.variables).map(([name, value]) => [name, value.default]);
    return {
      version: config.version,
      configuredAt: config.createdAt,
      webhook: config.post_call_webhook,
      variables: Object.fromEntries(variables),
      timezone: config.timezone,
    };
  }

  /** Tells those who keep calls how it went. The call does not wait for that, and goes on without. */
  async #record(agent: AgentRow, { callId }: CallAtStart, initiation: Initiation): Promise<void> {
    const { action: _action, dynamicVariables: _variables, metadata: _metadata, ...result } = initiation;
    const { outcome, error, statusCode } = result;
    this.parts.logger.info({ agentId: agent.id, callId, outcome, error, statusCode }, 'initiation webhook');
    if (callId === undefined) return;
    const data = { agentId: agent.id, callId, result };
    await announce(this.parts.db, this.parts, events.initiationFinished, agent.organization_id, data).catch(
      (err: unknown) => this.parts.logger.warn({ err, callId }, 'initiation not recorded'),
    );
  }
}
