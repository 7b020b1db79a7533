// For the tests of this service: organizations that ask it for things, as the gateway would on their behalf.
import { randomUUID } from 'node:crypto';
import {
  type Agent,
  type AgentConfiguration,
  type Callable,
  type Caller,
  type ComposedRequest,
  contract,
  type Result,
  rolePermissions,
} from '@parlance/contracts';
import { defaults } from '@parlance/models';
import type { RpcClient } from '@parlance/rpc';

/** The least that can be saved. */
export const configurationBody = { ...defaults, firstMessage: 'Hello', systemPrompt: 'Be kind.' };

/** The least that can be created. */
export const agentBody = { name: 'Front desk', isActive: true, templateId: null };

export const callerOf = (
  organizationId: string,
  permissions: readonly string[] = rolePermissions.owner,
): Caller => ({
  organizationId,
  actor: { type: 'user', id: 'u1' },
  role: 'owner',
  permissions: [...permissions],
});

/** Asks a row on behalf of a caller and answers its data. @throws AppError */
export type Ask = <T extends Callable>(
  row: T,
  request: ComposedRequest<T>,
  who: Caller,
  commandId?: string,
) => Promise<Result<T>>;

export const askOver =
  (rpc: RpcClient): Ask =>
  async (row, request, who, commandId) => {
    const context = { caller: who, requestId: randomUUID() };
    const command = commandId === undefined ? {} : { commandId };
    return (await rpc.call(row, request, { ...context, ...command })).data;
  };

/** A new organization, with its most frequent requests. */
export const newOrganization = (ask: Ask) => {
  const who = callerOf(randomUUID());
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

/** The error of a refused request; undefined when it was accepted. */
export const refusal = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );
