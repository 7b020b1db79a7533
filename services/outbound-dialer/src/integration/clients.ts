// Requests of this service to the others, on behalf of an organization.
import { type CallFacts, type RequestOf, type Result, serviceRequests } from '@parlance/contracts';
import type { Host } from '@parlance/service-host';

type NumberAtProvider = RequestOf<typeof serviceRequests.numbersOwnedAtProvider>['body'];

type Asking = Pick<Host, 'rpc' | 'callerFor' | 'ids'>;

const contextOf = async ({ callerFor, ids }: Asking, organizationId: string) => ({
  caller: callerFor(organizationId),
  requestId: ids.next(),
});

/** The progress of calls; calls that calls-logs does not know are left out. */
export const askCallsOver =
  (asking: Asking) =>
  async (organizationId: string, callIds: readonly string[]): Promise<readonly CallFacts[]> => {
    const context = await contextOf(asking, organizationId);
    const body = { callIds: [...callIds] };
    return (await asking.rpc.call(serviceRequests.callsFacts, { body }, context)).data;
  };

/** The telephone numbers of a call that the dialer has not made. @throws AppError CALL_NOT_FOUND */
export const askCallNumbersOver =
  (asking: Asking) =>
  async (organizationId: string, callId: string): Promise<Result<typeof serviceRequests.callsNumbers>> => {
    const context = await contextOf(asking, organizationId);
    return (await asking.rpc.call(serviceRequests.callsNumbers, { body: { callId } }, context)).data;
  };

export type EraseCalls = (
  organizationId: string,
  calls: RequestOf<typeof serviceRequests.callsErase>['body'],
) => Promise<void>;

/** Erases the records of calls. @throws AppError while calls-logs does not answer; it is to be repeated then */
export const eraseCallsOver =
  (asking: Asking): EraseCalls =>
  async (organizationId, body) => {
    const context = await contextOf(asking, organizationId);
    await asking.rpc.call(serviceRequests.callsErase, { body }, context);
  };

/** Asks whether the organization has the number, and in which countries it has any. */
export const askNumbersOver =
  (asking: Asking) =>
  async (
    organizationId: string,
    fromNumber: string,
  ): Promise<Result<typeof serviceRequests.numbersForDialing>> => {
    const context = await contextOf(asking, organizationId);
    const body = { fromNumber };
    return (await asking.rpc.call(serviceRequests.numbersForDialing, { body }, context)).data;
  };

/** Asks whether a call of the organization may come from a number that is kept at the provider alone. */
export const askProviderOver =
  (asking: Asking) =>
  async (
    organizationId: string,
    number: NumberAtProvider,
  ): Promise<Result<typeof serviceRequests.numbersOwnedAtProvider>> => {
    const context = await contextOf(asking, organizationId);
    return (await asking.rpc.call(serviceRequests.numbersOwnedAtProvider, { body: number }, context)).data;
  };

/** The organization's settings for all of its calls. */
export const askSettingsOver =
  (asking: Asking) =>
  async (organizationId: string): Promise<Result<typeof serviceRequests.settingsOf>> => {
    const context = await contextOf(asking, organizationId);
    return (await asking.rpc.call(serviceRequests.settingsOf, { body: {} }, context)).data;
  };

/**
 * What the agent's texts mention, and the overrides that its models allow.
 * @throws AppError AGENT_NOT_FOUND, and while agents-config does not answer
 */
export const askPlaceholdersOver =
  (asking: Asking) =>
  async (
    organizationId: string,
    agentId: string,
  ): Promise<Result<typeof serviceRequests.agentsPlaceholders>> => {
    const context = await contextOf(asking, organizationId);
    return (await asking.rpc.call(serviceRequests.agentsPlaceholders, { body: { agentId } }, context)).data;
  };
