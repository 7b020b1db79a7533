// A call's room, joined as a participant. It says when the telephone is answered and when the call is over. It plays the
// agent's voice, and passes on everything that the telephone sends.
import {
  type DisconnectReason,
  ParticipantKind,
  type RemoteParticipant,
  Room,
  RoomEvent,
  RpcError,
  TrackKind,
} from '@livekit/rtc-node';
import { type Ending, endingOfPhone, endingOfRoom } from './endings.js';
import type { Over } from './heard.js';
import type { Sound } from './voice.js';
import { listen, publishVoice } from './voice-track.js';

export interface TelephoneLine {
  /** True when the telephone is answered, false when that cannot happen any more. */
  readonly answered: Promise<boolean>;
  /** Aborted as soon as the call is over, for any reason. */
  readonly over: AbortSignal;
  /** Resolves when the last sample was played, or when the signal is aborted. */
  say(sound: Sound, until: AbortSignal): Promise<void>;
  /** Leaves the room, which goes on without the runtime. */
  leave(): Promise<void>;
  /**
   * False when the process behind the telephone is gone, although the media server still shows the telephone: that takes
   * it up to half a minute to notice.
   */
  isThere(): Promise<boolean>;
}

interface LineOptions {
  readonly url: string;
  readonly token: string;
  /** Gets the samples of the telephone from the moment at which it is answered. */
  readonly onSamples: (samples: Int16Array) => void;
}

/** A server that is gone takes its rooms along. The library tries to come back for nearly a minute. */
const lostAfterMs = 15_000;
/** The end of a room reaches its participants one after the other. */
const roomEndMs = 300;

/** The SDK of LiveKit's SIP service answers a method that it does not know at once. */
const probe = { method: 'parlance.presence', payload: '', responseTimeout: 5_000 };
const { CONNECTION_TIMEOUT, RESPONSE_TIMEOUT, RECIPIENT_DISCONNECTED, RECIPIENT_NOT_FOUND } =
  RpcError.ErrorCode;
const noAnswer: ReadonlySet<unknown> = new Set([
  ...[CONNECTION_TIMEOUT, RESPONSE_TIMEOUT, RECIPIENT_DISCONNECTED, RECIPIENT_NOT_FOUND],
]);

const isThere = async (room: Room): Promise<boolean> => {
  const phone = [...room.remoteParticipants.values()].find(isPhone);
  if (phone === undefined || room.localParticipant === undefined) return false;
  try {
    await room.localParticipant.performRpc({ ...probe, destinationIdentity: phone.identity });
    return true;
  } catch (error) {
    return !(error instanceof RpcError && noAnswer.has(error.code));
  }
};

const isPhone = ({ kind }: RemoteParticipant): boolean => kind === ParticipantKind.SIP;
const statusOf = (phone: RemoteParticipant): string | undefined => phone.attributes['sip.callStatus'];

/** Follows the room's events to the answer of the telephone and to the end of the call. */
const follow = (room: Room) => {
  const over = new AbortController();
  let settleAnswer: (isAnswered: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    settleAnswer = resolve;
  });
  let lost: NodeJS.Timeout | undefined;
  let lostAt: Date | undefined;
  const end = (ending: Ending, at = new Date()): void => {
    clearTimeout(lost);
    settleAnswer(false);
    if (!over.signal.aborted) over.abort({ ending, at } satisfies Over);
  };
  const look = (participant: RemoteParticipant): void => {
    if (!isPhone(participant)) return;
    const status = statusOf(participant);
    if (status === 'active') settleAnswer(true);
    else if (status === 'hangup') leftPhone(participant);
  };
  const leftPhone = (participant: RemoteParticipant): void => {
    const at = new Date();
    setTimeout(() => {
      const reason = participant.disconnectReason;
      // A server that crashed has no room any more, and gives no reason for a telephone that is not in it.
      if (reason === undefined && lostAt !== undefined) end('room_lost', lostAt);
      else end(endingOfPhone(reason), at);
    }, roomEndMs);
  };
  room.on(RoomEvent.ParticipantConnected, look);
  room.on(RoomEvent.ParticipantAttributesChanged, (_, participant) => {
    const remote = room.remoteParticipants.get(participant.identity);
    if (remote !== undefined) look(remote);
  });
  room.on(RoomEvent.ParticipantDisconnected, (participant) => {
    if (isPhone(participant)) leftPhone(participant);
  });
  room.on(RoomEvent.Reconnecting, () => {
    const at = new Date();
    lostAt = at;
    lost = setTimeout(() => end('room_lost', at), lostAfterMs);
  });
  room.on(RoomEvent.Reconnected, () => clearTimeout(lost));
  room.on(RoomEvent.Disconnected, (reason: DisconnectReason | undefined) =>
    end(endingOfRoom(reason), lostAt),
  );
  return { answered, over: over.signal, look };
};

/** Joins the room. @throws Error when the server refuses, or cannot be reached */
export const joinLine = async ({ url, token, onSamples }: LineOptions): Promise<TelephoneLine> => {
  const room = new Room();
  const { answered, over, look } = follow(room);
  let isAnswered = false;
  void answered.then((answer) => {
    isAnswered = answer;
  });
  room.on(RoomEvent.TrackSubscribed, (track, _, participant) => {
    if (track.kind !== TrackKind.KIND_AUDIO || !isPhone(participant)) return;
    void listen(track, (samples) => isAnswered && onSamples(samples));
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  for (const participant of room.remoteParticipants.values()) look(participant);
  const voice = await publishVoice(room).catch(async (error: unknown) => {
    await room.disconnect();
    throw error;
  });
  return {
    answered,
    over,
    say: voice.say,
    isThere: () => isThere(room),
    leave: async () => {
      await room.disconnect();
      await voice.close();
    },
  };
};
