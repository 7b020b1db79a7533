// The requests to the media server for one attempt: a room with the agent in it, and the dial into that room.
import { callContext } from '@parlance/contracts';
import { type CreateRoom, type Dial, dialMarginSeconds, roomOfCall } from '@parlance/media-rooms';
import { calleeIdentity } from '../domain/outbound-call/attempt-ids.js';
import type { Dialing } from '../domain/outbound-call/outbound-call-state.js';

type Personal = NonNullable<Dialing['personal']>;

/**
 * The time, in seconds, for finding evidence after the latest moment at which the dial is answered and the phone rings.
 */
const searchSeconds = 30;

/** The time, in seconds, after which a started attempt without evidence counts as unknown. */
export const deadlineSeconds = (ringingTimeoutSeconds: number): number =>
  ringingTimeoutSeconds + dialMarginSeconds + ringingTimeoutSeconds + searchSeconds;

/** The call, as the voice runtime is told of it. */
const contextOf = (outboundCallId: string, { current, placed, configVersion }: Dialing, personal: Personal) =>
  callContext({
    callId: current.callId,
    organizationId: placed.organizationId,
    agentId: placed.agentId,
    configVersion,
    channel: 'phone',
    direction: 'outbound',
    fromNumber: personal.fromNumber,
    toNumber: personal.phoneNumber,
    provider: placed.provider,
    outboundCallId,
    campaignId: placed.campaignId,
    language: personal.language ?? null,
    voiceId: personal.voiceId ?? null,
    firstMessage: personal.firstMessage,
    systemPrompt: personal.systemPrompt,
    dynamicVariables: personal.dynamicVariables,
    metadata: personal.metadata,
    callee: { identity: calleeIdentity(current.attemptId), name: null },
  });

export const roomOf = (outboundCallId: string, state: Dialing, personal: Personal): CreateRoom => ({
  ...roomOfCall(contextOf(outboundCallId, state, personal)),
  name: state.current.roomName,
  emptyTimeoutSeconds: deadlineSeconds(state.placed.ringingTimeoutSeconds),
});

/** @param longestSeconds so much is put aside for the call: the media server hangs up when it is over */
export const dialOf = (
  state: Dialing,
  personal: Personal,
  { trunkId, longestSeconds }: Pick<Dial, 'trunkId' | 'longestSeconds'>,
): Dial => ({
  room: state.current.roomName,
  identity: calleeIdentity(state.current.attemptId),
  to: personal.phoneNumber,
  from: personal.fromNumber,
  trunkId,
  longestSeconds,
  ringingTimeoutSeconds: state.placed.ringingTimeoutSeconds,
  attemptId: state.current.attemptId,
});
