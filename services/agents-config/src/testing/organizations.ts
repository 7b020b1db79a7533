// For the tests of this service: organizations that ask it for things, as the gateway would on their behalf.
import { randomUUID } from 'node:crypto';
import { type Agent, type AgentConfiguration, contract } from '@parlance/contracts';
import { ownerOf, type ServiceWorld } from '@parlance/fixtures/service';
import { defaults } from '@parlance/models';

/** The least that can be saved. */
export const configurationBody = { ...defaults, firstMessage: 'Hello', systemPrompt: 'Be kind.' };

/** The least that can be created. */
export const agentBody = { name: 'Front desk', isActive: true, templateId: null };

/** A new organization, with its most frequent requests. */
export const newOrganization = (ask: ServiceWorld['ask']) => {
  const who = ownerOf(randomUUID());
  return {
    id: who.organizationId,
    who,
    create: (change: object = {}): Promise<Agent> =>
      ask(contract.agentsCreate, { body: { ...agentBody, ...change } }, who),
    save: (agentId: string, change: object = {}): Promise<AgentConfiguration> =>
      ask(contract.agentsSaveConfig, { params: { agentId }, body: { ...configurationBody, ...change } }, who),
    list: (): Promise<Agent[]> => ask(contract.agentsList, { query: {} }, who),
    remove: (agentId: string): Promise<null> => ask(contract.agentsDelete, { params: { agentId } }, who),
  };
};
