// What the platform writes into the metadata of a room: which call it is. The media server sends it back with every
// webhook, and only a webhook whose signature was verified gets here.
import { Channel, Direction, Provider, type RoomEvent } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { z } from 'zod';
import type { Described, RecordRoomFact } from '../call/call-commands.js';
import type { Departure } from '../call/call-events.js';

export const RoomMetadata = z.object({
  callId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  organizationId: z.string().min(1),
  agentId: z.string().min(1),
  configVersion: z.int().nullish(),
  channel: Channel,
  direction: Direction,
  fromNumber: z.string().nullish(),
  toNumber: z.string().nullish(),
  provider: Provider.nullish(),
  outboundCallId: z.string().nullish(),
  campaignId: z.string().nullish(),
  widgetId: z.string().nullish(),
  dynamicVariables: z.record(z.string(), z.string()).default({}),
  metadata: z.record(z.string(), z.json()).default({}),
});
export type RoomMetadata = z.output<typeof RoomMetadata>;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Undefined for a room that is not one of ours. */
export const callOfRoom = (metadata: string): RoomMetadata | undefined =>
  RoomMetadata.safeParse(parseJson(metadata)).data;

export const describedByRoom = (call: RoomMetadata, event: RoomEvent, agentName: string): Described => ({
  source: 'room',
  description: {
    organizationId: call.organizationId,
    agentId: call.agentId,
    agentName,
    configVersion: call.configVersion ?? null,
    channel: call.channel,
    direction: call.direction,
    provider: call.provider ?? null,
    providerCallId: null,
    roomName: event.room.name,
    outboundCallId: call.outboundCallId ?? null,
    campaignId: call.campaignId ?? null,
    widgetId: call.widgetId ?? null,
    startedAt: event.at,
  },
  people: {
    fromNumber: call.fromNumber ?? null,
    toNumber: call.toNumber ?? null,
    dynamicVariables: call.dynamicVariables,
    metadata: call.metadata,
  },
});

type Participant = NonNullable<RoomEvent['participant']>;

const roles: Record<Participant['kind'], 'agent' | 'person' | 'other'> = {
  agent: 'agent',
  sip: 'person',
  standard: 'person',
  ingress: 'other',
  egress: 'other',
  other: 'other',
};

/** An identity may be a phone number, and an event keeps what it holds for good. */
export const participantHash = (callId: string, identity: string): string =>
  sha256(`${callId} ${identity}`).slice(0, 22);

/** LiveKit's name for a participant that left of its own accord. */
const ownAccord = 'CLIENT_INITIATED';

/**
 * LiveKit says CLIENT_INITIATED of every telephone that its SIP service takes out of the room, also when the media
 * failed or the service stops. The status of the call tells a telephone that hung up from those.
 */
const departureOf = ({
  kind,
  attributes,
  disconnectReason,
}: Participant): { readonly leftBy?: Departure } => {
  if (disconnectReason === null) return {};
  const isOwn =
    disconnectReason === ownAccord && (kind !== 'sip' || attributes['sip.callStatus'] === 'hangup');
  return { leftBy: isOwn ? 'itself' : 'others' };
};

/** What the event says about the call; undefined where it says nothing. */
export const factOf = (
  callId: string,
  { type, at, participant }: RoomEvent,
): RecordRoomFact['fact'] | undefined => {
  if (type === 'room_started') return { kind: 'opened' };
  if (type === 'room_finished') return { kind: 'closed', at };
  if (participant === undefined) return undefined;
  if (type !== 'participant_joined' && type !== 'participant_left') return undefined;
  return {
    kind: 'moved',
    participant: participantHash(callId, participant.identity),
    as: roles[participant.kind],
    at,
    ...(type === 'participant_joined' ? { moved: 'in' } : { moved: 'out', ...departureOf(participant) }),
  };
};
