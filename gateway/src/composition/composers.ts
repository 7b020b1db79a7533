// The facts of other services that the gateway sends along with requests, by the operation.
import { type Composed, contract, type Input, type Operation } from '@parlance/contracts';
import type { RpcContext } from '@parlance/rpc';
import type { AgentsOfTools } from './agents-of-tools.js';
import type { EndsOfCalls } from './ends-of-calls.js';
import type { FactsOfCalls } from './facts-of-calls.js';
import type { NumbersAtDialer } from './numbers-at-dialer.js';
import type { OutboundTimelines } from './outbound-timelines.js';

/** Undefined for a request that needs no facts. */
export type Composer = (input: Input<Operation>, context: RpcContext) => Promise<unknown>;

/** By operation id. */
export type Composers = Readonly<Record<string, Composer>>;

const composing = <T extends Operation>(
  { id }: T,
  compose: (input: Input<T>, context: RpcContext) => Promise<Composed<T> | undefined>,
): Composers => ({
  // The types of a single row are those of its schemas, which made the input.
  [id]: (input, context) => compose(input as Input<T>, context),
});

export interface ComposersOptions {
  readonly agents: Pick<AgentsOfTools, 'facts' | 'testFacts'>;
  readonly calls: Pick<FactsOfCalls, 'useOf' | 'limits'>;
  readonly ends: Pick<EndsOfCalls, 'endedIn'>;
  readonly numbers: Pick<NumbersAtDialer, 'purchase' | 'release'>;
  readonly timelines: Pick<OutboundTimelines, 'behind'>;
}

export const composersOver = ({ agents, calls, ends, numbers, timelines }: ComposersOptions): Composers => {
  const agentOf = (
    { params: { agentId } }: { readonly params: { readonly agentId: string } },
    context: RpcContext,
  ) => agents.facts({ organizationId: context.caller.organizationId, agentId }, context);
  return {
    ...composing(contract.toolsListForAgent, agentOf),
    ...composing(contract.toolsAttach, agentOf),
    ...composing(contract.toolsDetach, agentOf),
    ...composing(contract.toolsTest, async ({ body: { agentId } }, context) =>
      agentId === undefined
        ? undefined
        : agents.testFacts({ organizationId: context.caller.organizationId, agentId }, context),
    ),
    ...composing(contract.callsEndLive, ({ body: { roomName } }, context) => ends.endedIn(roomName, context)),
    ...composing(contract.callsTimeline, ({ params: { callId } }, context) =>
      timelines.behind(callId, context),
    ),
    ...composing(contract.numbersBuy, (input, context) => numbers.purchase(input, context)),
    ...composing(contract.numbersRelease, (input, context) => numbers.release(input, context)),
    ...composing(contract.agentsDelete, ({ params: { agentId } }, context) => calls.useOf(agentId, context)),
    ...composing(contract.settingsUpdate, async ({ body }, context) =>
      body.maxConcurrentCalls === undefined && body.allowedCountries === undefined
        ? { limits: null }
        : calls.limits(context),
    ),
  };
};
