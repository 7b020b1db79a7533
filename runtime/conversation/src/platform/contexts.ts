// The context of a call: from the dispatch of its agent, or made for a call that comes in.
import { CallContext, callContext, type RuntimeConfig } from '@parlance/contracts';

/**
 * The call that a dispatch names; undefined for a call that comes in, whose dispatch is empty.
 * @throws Error for metadata that is not JSON, or is not a context
 */
export const callOf = (dispatchMetadata: string): CallContext | undefined => {
  const metadata: unknown = JSON.parse(dispatchMetadata || '{}');
  const isEmpty = typeof metadata === 'object' && metadata !== null && Object.keys(metadata).length === 0;
  return isEmpty ? undefined : CallContext.parse(metadata);
};

/** The facts of a call that comes in, before its agent is known. */
export interface InboundCall {
  readonly callId: string;
  readonly callerNumber: string | null;
  readonly calledNumber: string;
}

/** The context of a call that comes in, once the platform has named its agent. */
export const inboundContext = (call: InboundCall, { agent, config }: RuntimeConfig): CallContext =>
  callContext({
    callId: call.callId,
    organizationId: agent.organizationId,
    agentId: agent.id,
    configVersion: config.version,
    direction: 'inbound',
    channel: 'phone',
    fromNumber: call.callerNumber,
    toNumber: call.calledNumber,
  });
