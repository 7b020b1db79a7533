// The room of a visitor of a website, joined as a participant. It says when the visitor is there and when the conversation
// is over. It plays the agent's voice, and passes on everything that the visitor says or types.
import {
  DisconnectReason,
  ParticipantKind,
  type RemoteParticipant,
  Room,
  RoomEvent,
  TrackKind,
  TrackSource,
} from '@livekit/rtc-node';
import { type Captions, createCaptions, onTyped } from './captions.js';
import { type Ending, endingOfRoom, endingOfVisitor } from './endings.js';
import type { Over } from './heard.js';
import { type Line, type LineOptions, lostAfterMs, roomEndMs } from './line.js';
import { listen, publishVoice } from './voice-track.js';

export interface VisitorLine extends Line {
  readonly captions: Captions;
}

export interface VisitorLineOptions extends LineOptions {
  /** Gets each text that the visitor types. */
  readonly onText: (text: string) => void;
  /** A room without a visitor is left after so long. */
  readonly joinWithinMs: number;
}

/** A browser whose network failed comes back as a new participant with its old identity. */
const backWithinMs = 10_000;

/** Follows the room's events to the arrival of the visitor and to the end of the conversation. */
const follow = (room: Room, joinWithinMs: number) => {
  const over = new AbortController();
  let identity: string | undefined;
  let settleArrival: (isThere: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    settleArrival = resolve;
  });
  let leaving: NodeJS.Timeout | undefined;
  let lost: NodeJS.Timeout | undefined;
  let lostAt: Date | undefined;
  const end = (ending: Ending, at = new Date()): void => {
    for (const timer of [leaving, lost, arrival]) clearTimeout(timer);
    settleArrival(false);
    if (!over.signal.aborted) over.abort({ ending, at } satisfies Over);
  };
  const arrival = setTimeout(() => end('user_hangup'), joinWithinMs);
  const look = (participant: RemoteParticipant): void => {
    if (participant.kind !== ParticipantKind.STANDARD) return;
    identity ??= participant.identity;
    if (identity !== participant.identity) return;
    clearTimeout(leaving);
    clearTimeout(arrival);
    settleArrival(true);
  };
  const left = (participant: RemoteParticipant): void => {
    const at = new Date();
    // At once: the platform deletes the room as soon as the page has told it of the end.
    if (participant.disconnectReason === DisconnectReason.CLIENT_INITIATED) {
      end('user_hangup', at);
      return;
    }
    leaving = setTimeout(() => {
      const ending = endingOfVisitor(participant.disconnectReason);
      if (ending === 'operator_ended') end(ending, at);
      else leaving = setTimeout(() => end(ending, at), backWithinMs);
    }, roomEndMs);
  };
  room.on(RoomEvent.ParticipantConnected, look);
  room.on(RoomEvent.ParticipantDisconnected, (participant) => {
    if (participant.identity === identity) left(participant);
  });
  room.on(RoomEvent.Reconnecting, () => {
    lostAt = new Date();
    lost = setTimeout(() => end('room_lost', lostAt), lostAfterMs);
  });
  room.on(RoomEvent.Reconnected, () => clearTimeout(lost));
  room.on(RoomEvent.Disconnected, (reason: DisconnectReason | undefined) =>
    end(endingOfRoom(reason), lostAt),
  );
  return { answered, over: over.signal, look, visitor: () => identity };
};

/** The track of the visitor's microphone. */
const microphoneOf = (room: Room, identity: string) => {
  const publications = room.remoteParticipants.get(identity)?.trackPublications.values() ?? [];
  return [...publications].find(({ source }) => source === TrackSource.SOURCE_MICROPHONE);
};

/** Joins the room. @throws Error when the server refuses, or cannot be reached */
export const joinVisitor = async (options: VisitorLineOptions): Promise<VisitorLine> => {
  const { url, token, onSamples, onText, joinWithinMs } = options;
  const room = new Room();
  const { answered, over, look, visitor } = follow(room, joinWithinMs);
  room.on(RoomEvent.TrackSubscribed, (track, _, participant) => {
    if (track.kind === TrackKind.KIND_AUDIO && participant.kind === ParticipantKind.STANDARD)
      void listen(track, onSamples);
  });
  onTyped(room, onText);
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  for (const participant of room.remoteParticipants.values()) look(participant);
  const voice = await publishVoice(room).catch(async (error: unknown) => {
    await room.disconnect();
    throw error;
  });
  const captions = createCaptions({
    room,
    agentTrack: voice.id,
    visitor: () => {
      const identity = visitor();
      return identity === undefined
        ? undefined
        : { identity, track: microphoneOf(room, identity)?.sid ?? '' };
    },
  });
  return {
    answered,
    over,
    captions,
    say: voice.say,
    leave: async () => {
      await room.disconnect();
      await voice.close();
    },
  };
};
