// Composes the configuration of a call for the voice runtime from the services that own its parts, so that none of them requests
// something of another one for it.
import {
  type AgentAtStart,
  type Callable,
  contract,
  type Data,
  type Input,
  type RuntimeConfig,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { parseData, platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';
import type { ReadingOptions } from '../composition/reading.js';
import { type AgentOfCall, abilitiesOf } from './abilities.js';
import { standingOfCall } from './call-standing.js';

export interface RuntimeConfigsOptions extends ReadingOptions {
  readonly rpc: Pick<RpcClient, 'call' | 'dispatch'>;
}

type AgentConfig = (typeof contract)['internalAgentConfig'];
type NumberConfig = (typeof contract)['internalNumberConfig'];

const maxKnownAgents = 10_000;

export class RuntimeConfigs {
  readonly #options: RuntimeConfigsOptions;
  /** An agent never changes its organization, so the parts of a known one are read at the same time. */
  readonly #organizationOf = new Map<string, string>();

  constructor(options: RuntimeConfigsOptions) {
    this.#options = options;
  }

  async ofAgent(input: Input<AgentConfig>, context: RpcContext): Promise<Data<AgentConfig>> {
    const { agentId } = input.params;
    const organizationId = this.#organizationOf.get(agentId);
    const known = organizationId === undefined ? undefined : { organizationId, agentId };
    return this.#orWhole(contract.internalAgentConfig, input, context, () =>
      this.#composed(agentId, known, input.query, context),
    );
  }

  async ofNumber(input: Input<NumberConfig>, context: RpcContext): Promise<Data<NumberConfig>> {
    return this.#orWhole(contract.internalNumberConfig, input, context, async () => {
      const caller = platformCaller('gateway', '');
      const body = { phoneNumber: input.params.phoneNumber };
      const { data } = await this.#options.rpc.call(
        serviceRequests.numbersAgentOf,
        { body },
        { ...context, caller },
      );
      const { phoneNumber, ...agent } = data;
      const config = await this.#composed(agent.agentId, agent, input.query, context);
      // Agents are requested by their id alone; a number answers for its own organization and for no other.
      if (config.agent.organizationId !== agent.organizationId) throw new AppError('AGENT_NOT_FOUND');
      return { ...config, phoneNumber };
    });
  }

  async #composed(
    agentId: string,
    known: AgentOfCall | undefined,
    call: Input<AgentConfig>['query'],
    context: RpcContext,
  ): Promise<RuntimeConfig> {
    const early = known && abilitiesOf(this.#options, known, context);
    const composed = await standingOfCall(this.#options, call.callId, context);
    const atStart: AgentAtStart = await this.#dispatched(
      serviceRequests.agentsAtStart,
      { params: {}, query: {}, body: { agentId, call }, composed },
      { ...context, caller: platformCaller('gateway', known?.organizationId ?? '') },
    );
    const { organizationId } = atStart.agent;
    if (this.#organizationOf.size >= maxKnownAgents) this.#organizationOf.clear();
    this.#organizationOf.set(agentId, organizationId);
    const abilities = early ?? abilitiesOf(this.#options, { organizationId, agentId }, context);
    return { ...atStart, ...(await abilities) };
  }

  /** A service of 0.2.0 does not answer the parts, but the whole. */
  async #orWhole<T extends AgentConfig | NumberConfig>(
    row: T,
    input: Input<T>,
    context: RpcContext,
    compose: () => Promise<RuntimeConfig>,
  ): Promise<RuntimeConfig> {
    try {
      return await compose();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      return this.#dispatched<T, RuntimeConfig>(row, input, context);
    }
  }

  /** The input is validated: parsing it anew would take the variables for JSON text. */
  async #dispatched<T extends Callable, R>(row: T, input: Input<T>, context: RpcContext): Promise<R> {
    const { json } = await this.#options.rpc.dispatch(row, input, context);
    // The service's handler was checked against the row's type when it was compiled.
    return parseData(json) as R;
  }
}
