// Reads what agents-config has to know of calls and limits, so that agents-config requests nothing of calls-logs and outbound-dialer.
import { type AgentUseFacts, type SettingsFacts, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcContext } from '@parlance/rpc';
import { type ReadingOptions, readingFor } from './reading.js';

const patienceMs = 2_500;

const readingOf = (context: RpcContext): RpcContext =>
  readingFor(context.caller.organizationId, context, patienceMs);

export class FactsOfCalls {
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  async useOf(agentId: string, context: RpcContext): Promise<AgentUseFacts> {
    const { rpc } = this.#options;
    const of = readingOf(context);
    const { callsLiveCountOfAgent, outboundCallsOpenCountOfAgent } = serviceRequests;
    const use = await this.#orNull('use of an agent', async () => {
      const [calls, outboundCalls] = await Promise.all([
        rpc.call(callsLiveCountOfAgent, { body: { agentId } }, of),
        rpc.call(outboundCallsOpenCountOfAgent, { body: { agentId } }, of),
      ]);
      return { liveCalls: calls.data.live, openOutboundCalls: outboundCalls.data.open };
    });
    return { use };
  }

  async limits(context: RpcContext): Promise<SettingsFacts> {
    const { rpc } = this.#options;
    const limits = await this.#orNull('limits of the operator', async () => {
      const { data } = await rpc.call(serviceRequests.limitsOf, { body: {} }, readingOf(context));
      return data;
    });
    return { limits };
  }

  async #orNull<T>(part: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      this.#options.logger.warn({ err, part }, 'facts for a request unavailable');
      return null;
    }
  }
}
