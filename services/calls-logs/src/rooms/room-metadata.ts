// The platform's metadata of a room, which name its call. The media server sends them back with every webhook, and only
// webhooks with a verified signature get here.
import {
  BrowserRoom,
  type CallContext,
  type RoomEvent,
  storedJson,
  TelephoneRoom,
} from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { parseJson } from '@parlance/json';
import { z } from 'zod';
import type { Described, RoomFact } from '../call/call-commands.js';
import type { Departure } from '../call/call-events.js';

/** The call of a room. Variables and metadata are empty where another source tells them. */
export type CallOfRoom = TelephoneRoom &
  Pick<CallContext, 'dynamicVariables' | 'metadata'> &
  Partial<Pick<CallContext, 'consent'>>;

/** Rooms that an older release made have the variables too. */
const Whole = TelephoneRoom.extend({
  dynamicVariables: z.record(z.string(), z.string()).default({}),
  metadata: z.record(z.string(), storedJson).default({}),
});
const RoomMetadata = z.union([Whole, BrowserRoom.strict()]);

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/** The call, or its id alone where a browser can read the metadata. Undefined for a room that is not one of ours. */
export const readRoomMetadata = (metadata: string): CallOfRoom | BrowserRoom | undefined =>
  RoomMetadata.safeParse(parsed(metadata)).data;

const consentOf = ({ consent }: CallOfRoom) =>
  consent?.textVersion && consent.at ? { consentVersion: consent.textVersion, consentAt: consent.at } : {};

export const describedByRoom = (
  call: CallOfRoom,
  { roomName, startedAt }: { readonly roomName: string; readonly startedAt: string },
  agentName: string,
): Described => ({
  source: 'room',
  description: {
    organizationId: call.organizationId,
    agentId: call.agentId,
    agentName,
    configVersion: call.configVersion,
    channel: call.channel,
    direction: call.direction,
    provider: call.provider,
    providerCallId: null,
    roomName,
    outboundCallId: call.outboundCallId,
    campaignId: call.campaignId,
    widgetId: call.widgetId,
    ...consentOf(call),
    startedAt,
  },
  people: {
    fromNumber: call.fromNumber,
    toNumber: call.toNumber,
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

/** An identity may be a phone number, and an event keeps its content for good. */
export const participantHash = (callId: string, identity: string): string =>
  sha256(`${callId} ${identity}`).slice(0, 22);

/** LiveKit's name for a participant that left of its own accord. */
const ownAccord = 'CLIENT_INITIATED';

/** LiveKit's names for a participant whose process or network is gone, such as a SIP service that died. */
const brokenConnections = new Set(['SIGNAL_CLOSE', 'CONNECTION_TIMEOUT', 'MEDIA_FAILURE']);

/**
 * LiveKit says CLIENT_INITIATED of every telephone that its SIP service takes out of the room. It says so also when the
 * media failed or the service stops. The status of the call tells a telephone that hung up from those.
 */
const departureOf = ({
  kind,
  attributes,
  disconnectReason,
}: Participant): { readonly leftBy?: Departure; readonly lost?: true } => {
  if (disconnectReason === null) return {};
  // A browser whose page was closed gives the same reasons.
  if ((kind === 'sip' || kind === 'agent') && brokenConnections.has(disconnectReason))
    return { leftBy: 'others', lost: true };
  const isOwn =
    disconnectReason === ownAccord && (kind !== 'sip' || attributes['sip.callStatus'] === 'hangup');
  return { leftBy: isOwn ? 'itself' : 'others' };
};

/** The fact about the call in the event; undefined for an event without one. */
export const factOf = (callId: string, { type, at, participant }: RoomEvent): RoomFact | undefined => {
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
