// The simulated voice runtime's view of a call: told by the platform in the dispatch, or read off the room.
import { CallContext, withoutEmptyValues } from '@parlance/contracts';
import type { RuntimeConfiguration } from './conversation.js';
import type { KnownOfCall } from './platform-client.js';

/**
 * The call of a dispatch. Undefined for a call that comes in: the runtime finds its agent by the number.
 * @throws ZodError for metadata that the contract does not know
 */
export const contextOf = (dispatchMetadata: string): CallContext | undefined => {
  const metadata: unknown = JSON.parse(dispatchMetadata || '{}');
  const isSilent = typeof metadata === 'object' && metadata !== null && Object.keys(metadata).length === 0;
  return isSilent ? undefined : CallContext.parse(metadata);
};

/** The facts of a call that the runtime sends when it asks for the configuration. */
export const factsOf = (call: Partial<CallContext>): KnownOfCall => ({
  callId: call.callId,
  channel: call.channel,
  direction: call.direction,
  callerNumber: call.fromNumber,
  calledNumber: call.toNumber,
  provider: call.provider,
  campaignId: call.campaignId,
  dynamicVariables: call.dynamicVariables,
  metadata: call.metadata,
});

/** The variables of a call: those of the call come before those of its agent. */
export const variablesOf = (
  call: CallContext,
  config: RuntimeConfiguration,
): Readonly<Record<string, string>> => {
  const defaults = Object.entries(config.variables).flatMap(([name, { default: value }]) =>
    value === null ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(defaults), ...withoutEmptyValues(call.dynamicVariables) };
};

/** The configuration of the agent in this call. */
export const configurationOf = <T extends RuntimeConfiguration>(call: CallContext, config: T): T => ({
  ...config,
  agent_language: call.language ?? config.agent_language,
});
