// The settings of an agent for the running of its calls. The voice runtime gets them at the start of a call, and
// calls-logs at its end.
import { Controller } from '@nestjs/common';
import {
  type AgentConfiguration,
  type CallAtStart,
  type ConfigurationForRuntime,
  type contract,
  type Data,
  events,
  type Initiation,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import { announce } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { type AgentRow, ready } from '../agents/agent-record.js';
import { getAgent, getAgentOfAnyOrganization } from '../agents/agents-repository.js';
import { getStoredConfiguration } from '../configuration/configurations-repository.js';
import { type AnsweredVariables, findAnswered, keepAnswered } from '../initiation/answered-variables.js';
import { Parts } from '../parts.js';
import { abilitiesOf } from './abilities.js';
import { admissionOf } from './admission.js';

const withoutWebhooks = ({
  initiation_webhook: _initiation,
  post_call_webhook: _postCall,
  ...config
}: AgentConfiguration): ConfigurationForRuntime => config;

type AgentConfig = (typeof contract)['internalAgentConfig'];
type AtStart = (typeof serviceRequests)['agentsAtStart'];
type AnalysisSettings = (typeof serviceRequests)['agentsAnalysisSettings'];
type PostCallWebhook = (typeof serviceRequests)['agentsPostCallWebhook'];
type InitiationOfCall = (typeof serviceRequests)['agentsInitiationOfCall'];

@Controller()
@Serves()
export class RuntimeController {
  constructor(private readonly parts: Parts) {}

  async 'agents.atStart'({
    body: { agentId, call: query },
    composed,
    requestId,
    deadline,
  }: RpcRequest<AtStart>): Promise<Data<AtStart>> {
    const agent = ready(await getAgentOfAnyOrganization(this.parts.db, agentId));
    return this.#atStart(agent, query, { requestId, deadline, composed });
  }

  /** For gateways of 0.2.0, which request the whole of agents-config. */
  async 'internal.agentConfig'({
    params,
    query,
    requestId,
    deadline,
  }: RpcRequest<AgentConfig>): Promise<Data<AgentConfig>> {
    const agent = ready(await getAgentOfAnyOrganization(this.parts.db, params.agentId));
    const call = { organizationId: agent.organization_id, agentId: agent.id, requestId, deadline };
    const [atStart, abilities] = await Promise.all([
      this.#atStart(agent, query, { requestId, deadline }),
      abilitiesOf(this.parts, call),
    ]);
    return { ...atStart, ...abilities };
  }

  async 'agents.postCallWebhook'({
    body,
    caller,
  }: RpcRequest<PostCallWebhook>): Promise<Result<PostCallWebhook>> {
    const { organizationId } = caller;
    const agent = await getAgent(this.parts.db, organizationId, body.agentId);
    const version = body.version ?? agent.config_version;
    const config = await getStoredConfiguration(this.parts.db, organizationId, agent.id, version);
    const defaults = Object.entries(config.variables).map(([name, value]) => [name, value.default] as const);
    const answered =
      body.callId === undefined ? undefined : await this.#answered(organizationId, body.callId);
    return {
      version: config.version,
      configuredAt: config.createdAt,
      webhook: config.post_call_webhook,
      variables: { ...Object.fromEntries(defaults), ...answered?.dynamicVariables },
      timezone: config.timezone,
      recordingRetentionDays: config.recording.retentionDays,
    };
  }

  async 'agents.analysisSettings'({
    body,
    caller: { organizationId },
  }: RpcRequest<AnalysisSettings>): Promise<Result<AnalysisSettings>> {
    const agent = await getAgent(this.parts.db, organizationId, body.agentId);
    const version = body.version ?? agent.config_version;
    const config = await getStoredConfiguration(this.parts.db, organizationId, agent.id, version);
    return {
      language: config.agent_language,
      timezone: config.timezone,
      llmModel: config.llmModel,
      dataNeeded: config.data_needed,
      dataEvaluation: config.data_evaluation,
      personalKinds: config.redaction?.kinds ?? [],
    };
  }

  async 'agents.initiationOfCall'({
    body: { callId },
    caller: { organizationId },
  }: RpcRequest<InitiationOfCall>): Promise<Result<InitiationOfCall>> {
    return { initiation: (await this.#answered(organizationId, callId)) ?? null };
  }

  async #atStart(
    agent: ReturnType<typeof ready>,
    query: CallAtStart,
    { requestId, deadline, composed }: Pick<RpcRequest<AtStart>, 'requestId' | 'deadline' | 'composed'>,
  ): Promise<Data<AtStart>> {
    const { db, initiations } = this.parts;
    const { id: agentId, organization_id: organizationId } = agent;
    const saved = await getStoredConfiguration(db, organizationId, agentId, agent.config_version);
    const call = { organizationId, agentId, requestId, deadline };
    const [{ config, initiation }, runtime] = await Promise.all([
      initiations.ask(organizationId, saved, query, deadline),
      admissionOf(
        this.parts,
        { ...call, callId: query.callId, facts: composed },
        saved.limits.maxDurationSeconds,
      ),
    ]);
    if (initiation !== null) await this.#record(agent, query, initiation);
    return {
      agent: { id: agentId, name: agent.name, organizationId, isActive: agent.is_active },
      config: withoutWebhooks(config),
      initiation,
      runtime,
    };
  }

  #answered(organizationId: string, callId: string): Promise<AnsweredVariables | undefined> {
    return findAnswered(this.parts.db, this.parts.keyring, { organizationId, callId });
  }

  /**
   * Keeps the variables of the answer for the call's tools, and announces the result to the services that keep calls. A
   * call goes on when this fails.
   */
  async #record(agent: AgentRow, { callId }: CallAtStart, initiation: Initiation): Promise<void> {
    const { action: _action, dynamicVariables, metadata: _metadata, ...result } = initiation;
    const { outcome, error, statusCode } = result;
    this.parts.logger.info({ agentId: agent.id, callId, outcome, error, statusCode }, 'initiation webhook');
    if (callId === undefined) return;
    const { id: agentId, organization_id: organizationId } = agent;
    const { db, keyring, logger } = this.parts;
    const data = { agentId, callId, result, dynamicVariables };
    const recorded = db.transaction(async (tx) => {
      await keepAnswered(
        tx,
        keyring,
        { organizationId, callId },
        { agentId, at: result.at, dynamicVariables },
      );
      await announce(tx, this.parts, events.initiationFinished, organizationId, data);
    });
    await recorded.catch((err: unknown) => logger.warn({ err, callId }, 'initiation not recorded'));
  }
}
