// The port to the media server: rooms, participants, dialling out, tokens for browsers.
import type { Secret } from '@parlance/config';
import type { CallContext, CallStatus, EndedReason } from '@parlance/contracts';

export interface Room {
  readonly name: string;
  readonly sid: string;
  readonly metadata: string;
  readonly participants: number;
}

export interface Participant {
  readonly identity: string;
  readonly kind: 'sip' | 'agent' | 'standard' | 'ingress' | 'egress' | 'other';
  readonly attributes: Readonly<Record<string, string>>;
  /** The status of a SIP participant: dialing, ringing, active, hangup ...; undefined for others. */
  readonly sipCallStatus: string | undefined;
  readonly sipCallId: string | undefined;
}

export interface CreateRoom {
  readonly name: string;
  /** Kept by the server, sent back with every webhook of the room, and readable for every participant. */
  readonly metadata: object;
  /** Seconds for which an empty room waits for its first participant. */
  readonly emptyTimeoutSeconds: number;
  /** Sends the voice runtime into the room; its job is the only reader of this metadata. */
  readonly agent?: { readonly metadata: CallContext };
  /** The most participants; without it any number. Agents are not counted. */
  readonly maxParticipants?: number;
}

export interface Dial {
  readonly room: string;
  /** The identity of the callee in the room; finds the call again after a crash. */
  readonly identity: string;
  readonly to: string;
  readonly from: string;
  readonly trunkId: string;
  readonly ringingTimeoutSeconds: number;
  /** The media server hangs up after this time, counted from the dial. */
  readonly longestSeconds: number;
  /** Travels with the call as X-Attempt-Id. */
  readonly attemptId: string;
}

/** The knowledge after the one request of a dial. */
export type DialOutcome =
  | { readonly kind: 'answered'; readonly sipCallId: string }
  /** Certainly not connected: no ring, or a ring that ended with a reason. */
  | {
      readonly kind: 'refused';
      readonly status: Extract<CallStatus, 'failed' | 'busy' | 'no_answer'>;
      readonly endedReason: EndedReason;
      readonly sipStatus?: number;
      readonly providerCode?: string;
      /** Set when the provider asked for patience: a new attempt may be made after this time. */
      readonly retryAfterSeconds?: number;
    }
  /**
   * The callee's leg is over, and no answer was seen: the ringing time is over, or the room is gone. Unless the room or
   * calls-logs shows an answer, the attempt ends so.
   */
  | {
      readonly kind: 'unanswered';
      readonly status: Extract<CallStatus, 'failed' | 'no_answer'>;
      readonly endedReason: EndedReason;
    }
  /** No answer says whether the phone rang. */
  | { readonly kind: 'inDoubt'; readonly cause: unknown };

export interface BrowserToken {
  readonly room: string;
  readonly identity: string;
  /** Seconds for which the token can be used to join. */
  readonly ttlSeconds: number;
}

/** The digest credentials by which a carrier shows who it is. */
export interface InboundCredentials {
  readonly username: string;
  readonly password: Secret;
}

export interface InboundRoute {
  readonly phoneNumber: string;
  /** The name that people read at the media server. */
  readonly name: string;
  /** Ranges in CIDR notation, never empty. A call from another address gets no room. */
  readonly allowedAddresses: readonly [string, ...string[]];
  /** Undefined: calls from the allowed addresses need none. */
  readonly credentials?: InboundCredentials | undefined;
}

/** Who may call a number. */
export interface RoutedNumber {
  /** An empty list is everybody. */
  readonly allowedAddresses: readonly string[];
  /** False where a trunk has half of a pair, too: LiveKit requests nothing then. */
  readonly hasCredentials: boolean;
  /** True where calls are accepted under these rules and no others. */
  accepts(rules: Pick<InboundRoute, 'allowedAddresses' | 'credentials'>): boolean;
}

export interface MediaRooms {
  createRoom(room: CreateRoom): Promise<void>;
  deleteRoom(name: string): Promise<'deleted' | 'absent'>;
  /** All rooms, or those with these names. */
  rooms(names?: readonly string[]): Promise<Room[]>;
  participants(room: string): Promise<Participant[]>;
  /** Null when there is no such room or participant. */
  participant(room: string, identity: string): Promise<Participant | null>;
  /**
   * Sends exactly one dial request and waits until the phone is answered, refused or the ringing time is over. Never
   * throws: an uncertain outcome is in doubt.
   */
  dial(dial: Dial): Promise<DialOutcome>;
  /**
   * Lets calls to a number in: each gets a room of its own, into which the voice runtime is sent. May be repeated, and then writes
   * the addresses and the credentials over those of the existing trunk.
   */
  routeInbound(route: InboundRoute): Promise<void>;
  /** The numbers that calls are let in to, each with its rules. */
  routedNumbers(): Promise<ReadonlyMap<string, RoutedNumber>>;
  /** Takes no more calls to the number. May be repeated. */
  unrouteInbound(phoneNumber: string): Promise<void>;
  /** A token for one identity in one room. The room must be there: a participant that joins makes none. */
  browserToken(token: BrowserToken): Promise<string>;
  ping(): Promise<void>;
}
