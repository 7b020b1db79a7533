// What the simulated voice runtime knows of a call: from the platform, which wrote it into the dispatch, or from the room.
import type { RuntimeConfiguration } from './conversation.js';
import type { KnownOfCall } from './platform-client.js';

/** What the platform writes into dispatch metadata. */
export interface CallContext {
  readonly callId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly configVersion?: number | null;
  readonly channel: string;
  readonly direction: string;
  readonly fromNumber?: string | null;
  readonly toNumber?: string | null;
  readonly provider?: string | null;
  readonly outboundCallId?: string | null;
  readonly campaignId?: string | null;
  readonly dynamicVariables?: Readonly<Record<string, string>>;
  readonly firstMessage?: string | null;
  /** Instead of the agent's. A `voiceId` may be there too; nothing here has a voice. */
  readonly agent_language?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What the platform is told of a call when it is asked what to run with. */
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

/** What the call was given comes before what its agent has for it. */
export const variablesOf = (
  call: CallContext,
  config: RuntimeConfiguration,
): Readonly<Record<string, string>> => {
  const defaults = Object.entries(config.variables ?? {}).flatMap(([name, { default: value }]) =>
    value === null ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(defaults), ...call.dynamicVariables };
};

/** What the agent runs with in this call. */
export const configurationOf = (call: CallContext, config: RuntimeConfiguration): RuntimeConfiguration => ({
  ...config,
  agent_language: call.agent_language ?? config.agent_language,
});
