// What the media server is asked for one attempt: a room with the agent in it, and the dial into that room.
import { type CreateRoom, type Dial, dialMarginSeconds } from '@parlance/media-rooms';
import { calleeIdentity } from '../outbound-call/attempt-ids.js';
import type { Dialing } from '../outbound-call/outbound-call-state.js';

type Personal = NonNullable<Dialing['personal']>;

/** After the dial may still be answered, and the phone may still ring: how long evidence is looked for. */
const searchSeconds = 30;

/** How long after its start an attempt without evidence counts as unknown. */
export const deadlineSeconds = (ringingTimeoutSeconds: number): number =>
  ringingTimeoutSeconds + dialMarginSeconds + ringingTimeoutSeconds + searchSeconds;

/** What the voice runtime and calls-logs are told about the call; travels as the room's metadata. */
const callContext = (outboundCallId: string, state: Dialing, personal: Personal): object => ({
  callId: state.current.callId,
  organizationId: state.placed.organizationId,
  agentId: state.placed.agentId,
  configVersion: state.configVersion,
  channel: 'phone',
  direction: 'outbound',
  fromNumber: personal.fromNumber,
  toNumber: personal.phoneNumber,
  provider: state.placed.provider,
  outboundCallId,
  campaignId: state.placed.campaignId,
  dynamicVariables: personal.dynamicVariables,
  ...(personal.firstMessage === null ? {} : { firstMessage: personal.firstMessage }),
  ...(personal.systemPrompt === null ? {} : { systemPrompt: personal.systemPrompt }),
  ...(personal.language === undefined ? {} : { agent_language: personal.language }),
  ...(personal.voiceId === undefined ? {} : { voiceId: personal.voiceId }),
  metadata: personal.metadata,
});

export const roomOf = (outboundCallId: string, state: Dialing, personal: Personal): CreateRoom => {
  const metadata = callContext(outboundCallId, state, personal);
  return {
    name: state.current.roomName,
    metadata,
    emptyTimeoutSeconds: deadlineSeconds(state.placed.ringingTimeoutSeconds),
    agent: { metadata },
  };
};

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
