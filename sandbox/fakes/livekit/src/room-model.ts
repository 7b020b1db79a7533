// The shapes of a room and a participant, in memory and on the wire.
import { randomBytes } from 'node:crypto';

export type ParticipantKind = 'STANDARD' | 'SIP' | 'AGENT';

export interface Participant {
  readonly sid: string;
  readonly identity: string;
  readonly kind: ParticipantKind;
  readonly metadata: string;
  readonly joinedAt: number;
  attributes: Record<string, string>;
  /** Told when somebody else ends the participation. */
  onRemoved: (reason: DisconnectReason) => void;
  /** Why it is not in the room any more. */
  leftWith?: DisconnectReason;
}

export type DisconnectReason =
  | 'CLIENT_INITIATED'
  | 'DUPLICATE_IDENTITY'
  | 'PARTICIPANT_REMOVED'
  | 'ROOM_DELETED'
  | 'USER_UNAVAILABLE'
  | 'USER_REJECTED'
  | 'CONNECTION_TIMEOUT';

export interface Room {
  readonly sid: string;
  readonly name: string;
  metadata: string;
  readonly createdAt: number;
  readonly emptyTimeoutSeconds: number;
  readonly participants: Map<string, Participant>;
  started: boolean;
  emptyTimer: NodeJS.Timeout | undefined;
}

export interface Dispatch {
  readonly id: string;
  readonly agentName: string;
  readonly room: string;
  readonly metadata: string;
}

export const newSid = (prefix: string): string => `${prefix}_${randomBytes(9).toString('base64url')}`;

/** JSON form of livekit.Room. */
export const roomJson = (room: Room) => ({
  sid: room.sid,
  name: room.name,
  metadata: room.metadata,
  emptyTimeout: room.emptyTimeoutSeconds,
  creationTime: String(room.createdAt),
  numParticipants: room.participants.size,
});

/** JSON form of livekit.ParticipantInfo. */
export const participantJson = (participant: Participant) => ({
  sid: participant.sid,
  identity: participant.identity,
  state: 'ACTIVE',
  metadata: participant.metadata,
  joinedAt: String(participant.joinedAt),
  kind: participant.kind,
  attributes: participant.attributes,
});
