// Agents: create, list, change, delete; and the dialer's questions about one.
import { Controller } from '@nestjs/common';
import {
  type Agent,
  type AgentConfiguration,
  type contract,
  events,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import { announce, refuseClosed } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { toDocument } from '../configuration/configuration-document.js';
import { getConfiguration, insertConfiguration } from '../configuration/configurations-repository.js';
import { actorOf } from '../configuration/save-version.js';
import { toStored } from '../configuration/stored-webhooks.js';
import { Parts } from '../parts.js';
import { templateOf } from '../templates/templates.js';
import { toAgent } from './agent-record.js';
import { refuseWhileInUse } from './agent-use.js';
import {
  agentReference,
  deleteAgent,
  getAgent,
  insertAgent,
  insertAnnouncedAgent,
  listAgents,
  updateAgent,
} from './agents-repository.js';

type Contract = typeof contract;
type ForCall = (typeof serviceRequests)['agentsForCall'];
type Reference = (typeof serviceRequests)['agentsReference'];

const firstVersion = 1;

/** The agent's first words, and the defaults of the variables in them. */
const wordsOf = ({ firstMessage, variables }: AgentConfiguration) => ({
  firstMessage,
  variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.default])),
});

@Controller()
@Serves()
export class AgentsController {
  constructor(private readonly parts: Parts) {}

  async 'agents.create'({ body, caller, commandId }: RpcRequest<Contract['agentsCreate']>): Promise<Agent> {
    const configuration = templateOf(body.templateId)?.configuration;
    const { organizationId } = caller;
    const now = this.parts.clock.now();
    // Under an Idempotency-Key the command's id is the agent's, so that a second try finds the agent of the first one.
    const id = commandId ?? this.parts.ids.next();
    const { db, agentLimit } = this.parts;
    if (configuration === undefined && agentLimit.takesOneMore(organizationId)) {
      const agent = await insertAnnouncedAgent(db, this.parts, organizationId, { ...body, id, now });
      if (agent !== undefined) return toAgent(agent);
    }
    return db.transaction(async (tx) => {
      const configVersion = configuration === undefined ? null : firstVersion;
      // Both are sent at once. A refusal rolls the insert back.
      const [, agent] = await Promise.all([
        refuseClosed(tx, organizationId),
        insertAgent(tx, organizationId, { ...body, id, now, configVersion }),
      ]);
      if (!agent) return toAgent(await getAgent(tx, organizationId, id));
      await agentLimit.refuseOver(tx, organizationId);
      const about = { agentId: id, name: agent.name };
      await announce(tx, this.parts, events.agentCreated, organizationId, about);
      if (!configuration) return toAgent(agent);
      const { keyring } = this.parts;
      const sealing = { keyring, organizationId, agentId: id };
      const document = toStored(toDocument(configuration), undefined, sealing);
      const savedBy = actorOf(caller);
      const written = { agentId: id, version: firstVersion, document, savedBy, now };
      await insertConfiguration(tx, organizationId, written);
      await announce(tx, this.parts, events.agentConfigured, organizationId, {
        ...about,
        configVersion: firstVersion,
      });
      return toAgent(agent);
    });
  }

  async 'agents.list'({ query, caller }: RpcRequest<Contract['agentsList']>): Promise<Answer<Agent[]>> {
    const { db, cursors } = this.parts;
    const { organizationId } = caller;
    const scope = { organizationId, route: 'agents.list', filters: {} };
    const { rows, next } = await cursors.page(scope, query, (keyset) =>
      listAgents(db, organizationId, keyset),
    );
    return answer(rows.map(toAgent), next);
  }

  async 'agents.update'({ params, body, caller }: RpcRequest<Contract['agentsUpdate']>): Promise<Agent> {
    templateOf(body.templateId);
    const { organizationId } = caller;
    const now = this.parts.clock.now();
    return this.parts.db.transaction(async (tx) => {
      const agent = await updateAgent(tx, organizationId, params.agentId, body, now);
      const about = { agentId: agent.id, name: agent.name, isActive: agent.is_active };
      await announce(tx, this.parts, events.agentUpdated, organizationId, about);
      return toAgent(agent);
    });
  }

  async 'agents.delete'({
    params,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['agentsDelete']>): Promise<null> {
    const { organizationId } = caller;
    const { agentId } = params;
    await getAgent(this.parts.db, organizationId, agentId);
    await refuseWhileInUse(this.parts, composed, { organizationId, agentId, requestId });
    await this.parts.db.transaction(async (tx) => {
      const { name } = await deleteAgent(tx, organizationId, agentId, this.parts.clock.now());
      await announce(tx, this.parts, events.agentDeleted, organizationId, { agentId, name });
    });
    return null;
  }

  async 'agents.reference'({ body, caller }: RpcRequest<Reference>): Promise<Result<Reference>> {
    return agentReference(this.parts.db, caller.organizationId, body.agentId);
  }

  async 'agents.forCall'({ body, caller }: RpcRequest<ForCall>): Promise<Result<ForCall>> {
    const { organizationId } = caller;
    const agent = await getAgent(this.parts.db, organizationId, body.agentId);
    const { config_version: configVersion } = agent;
    const configuration =
      configVersion === null
        ? undefined
        : await getConfiguration(this.parts.db, organizationId, agent.id, configVersion);
    return {
      agentId: agent.id,
      name: agent.name,
      isActive: agent.is_active,
      configVersion,
      allowedOverrides: configuration?.allowedOverrides ?? [],
      maxDurationSeconds: configuration?.limits.maxDurationSeconds ?? null,
      ...(configuration && wordsOf(configuration)),
      language: configuration?.agent_language ?? null,
      ...(configuration && {
        redaction: { kinds: configuration.redaction?.kinds ?? [], timezone: configuration.timezone },
      }),
    };
  }
}
