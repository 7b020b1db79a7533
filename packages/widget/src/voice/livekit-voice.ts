// A voice conversation in a LiveKit room. The only file that knows LiveKit's client for joining; it is loaded at the first click.
import {
  DisconnectReason,
  LocalAudioTrack,
  type LocalTrack,
  ParticipantKind,
  type RemoteParticipant,
  type RemoteTrack,
  Room,
  RoomEvent,
  Track,
} from 'livekit-client';
import type { ConnectVoice, Device, Devices, VoiceCall, VoiceChannel } from '../conversation/channel.js';
import type { AgentState } from '../conversation/phase.js';
import { Trouble } from '../conversation/problems.js';
import type { IceServer } from '../wire/shapes.js';
import { followCaptions } from './captions.js';

const chatTopic = 'lk.chat';
const stateAttribute = 'lk.agent.state';
const agentStates: readonly string[] = [
  'initializing',
  'listening',
  'thinking',
  'speaking',
] satisfies AgentState[];
const joinWithinMs = 15_000;
/** A visitor waits no longer for the agent to come. */
const agentWithinMs = 20_000;
/** An agent's process may be replaced by another one in this time. */
const agentBackWithinMs = 3_000;

const isAgentState = (value: string | undefined): value is AgentState =>
  value !== undefined && agentStates.includes(value);

const isEndByOthers = (reason: DisconnectReason | undefined): boolean =>
  reason === DisconnectReason.ROOM_DELETED ||
  reason === DisconnectReason.ROOM_CLOSED ||
  reason === DisconnectReason.PARTICIPANT_REMOVED;

const isAgent = ({ kind }: RemoteParticipant): boolean => kind === ParticipantKind.AGENT;

const playAgent = (room: Room, volume: () => number): void => {
  room.on(RoomEvent.TrackSubscribed, (track: RemoteTrack, _publication, participant) => {
    if (track.kind !== Track.Kind.Audio) return;
    // An element that is in no page plays all the same.
    track.attach();
    participant.setVolume(volume());
  });
  room.on(RoomEvent.TrackUnsubscribed, (track: RemoteTrack) => {
    track.detach();
  });
};

/** Tells when the agent is gone for good, and at the beginning when none comes. */
const watchAgent = (room: Room, gone: () => void): (() => void) => {
  let timer = setTimeout(gone, agentWithinMs);
  const check = (): void => {
    clearTimeout(timer);
    const isHere = [...room.remoteParticipants.values()].some(isAgent);
    if (!isHere) timer = setTimeout(gone, agentBackWithinMs);
  };
  room.on(RoomEvent.ParticipantConnected, check);
  room.on(RoomEvent.ParticipantDisconnected, check);
  return () => clearTimeout(timer);
};

const tell = (room: Room, { events }: VoiceCall): void => {
  let isOver = false;
  const over = (reason: 'agent' | 'network'): void => {
    if (isOver) return;
    isOver = true;
    stopWatching();
    events.closed(reason);
  };
  const stopWatching = watchAgent(room, () => over('agent'));
  const tellState = (participant: { readonly attributes: Readonly<Record<string, string>> }): void => {
    const state = participant.attributes[stateAttribute];
    if (isAgentState(state)) events.agent(state);
  };
  room.on(RoomEvent.ParticipantAttributesChanged, (_changed, participant) => tellState(participant));
  room.on(RoomEvent.ParticipantConnected, tellState);
  room.on(RoomEvent.SignalReconnecting, events.lost);
  room.on(RoomEvent.Reconnecting, events.lost);
  room.on(RoomEvent.Reconnected, () => {
    events.recovered();
    room.remoteParticipants.forEach(tellState);
  });
  room.on(RoomEvent.AudioPlaybackStatusChanged, () => events.silenced(!room.canPlaybackAudio));
  room.on(RoomEvent.Disconnected, (reason) => {
    if (reason === DisconnectReason.CLIENT_INITIATED) stopWatching();
    else over(isEndByOthers(reason) ? 'agent' : 'network');
  });
};

const devicesOf = async (kind: MediaDeviceKind): Promise<readonly Device[]> => {
  const found = await Room.getLocalDevices(kind, false);
  return found.filter(({ deviceId }) => deviceId !== '').map(({ deviceId: id, label }) => ({ id, label }));
};

const canChooseOutput = (): boolean => 'setSinkId' in HTMLMediaElement.prototype;

const channelOf = (
  room: Room,
  microphone: LocalAudioTrack,
  setVolume: (volume: number) => void,
): VoiceChannel => ({
  send: async (text) => {
    await room.localParticipant.sendText(text, { topic: chatTopic });
    return true;
  },
  mute: async (isMuted) => {
    await (isMuted ? microphone.mute() : microphone.unmute());
  },
  setVolume,
  devices: async (): Promise<Devices> => ({
    inputs: await devicesOf('audioinput'),
    outputs: canChooseOutput() ? await devicesOf('audiooutput') : [],
    input: room.getActiveDevice('audioinput'),
    output: room.getActiveDevice('audiooutput'),
  }),
  choose: async (kind, id) => {
    await room.switchActiveDevice(kind === 'input' ? 'audioinput' : 'audiooutput', id);
  },
  playSound: () => room.startAudio(),
  close: () => {
    microphone.stop();
    void room.disconnect().catch(() => undefined);
  },
});

const rtcConfigOf = (servers: readonly IceServer[]): RTCConfiguration => ({
  iceServers: servers.map(({ urls, username, credential }) => ({
    urls: [...urls],
    ...(username === undefined ? {} : { username }),
    ...(credential === undefined ? {} : { credential }),
  })),
});

export const connectVoice: ConnectVoice = async (call) => {
  const { session, microphone: track, events } = call;
  const { serverUrl, token, iceServers } = session;
  if (serverUrl === null || token === null) throw new Trouble('media', 'The session has no room.');
  let volume = call.volume;
  const room = new Room({ disconnectOnPageLeave: true });
  playAgent(room, () => volume);
  followCaptions(room, events);
  tell(room, call);
  // The client's own track, so that it may ask for another device.
  const microphone = new LocalAudioTrack(track, undefined, false);
  // The client tries again without end where the media server is of another version, or the page's policy forbids it.
  const limit = setTimeout(() => void room.disconnect().catch(() => undefined), joinWithinMs);
  try {
    await room.connect(
      serverUrl,
      token,
      iceServers === undefined ? {} : { rtcConfig: rtcConfigOf(iceServers) },
    );
    // The client's declarations disagree with themselves about optional members; the class is the right one.
    const published = microphone as LocalTrack<Track.Kind.Audio>;
    await room.localParticipant.publishTrack(published, { source: Track.Source.Microphone });
    events.silenced(!room.canPlaybackAudio);
  } catch (error) {
    microphone.stop();
    await room.disconnect().catch(() => undefined);
    throw new Trouble('media', 'The room could not be joined.', error);
  } finally {
    clearTimeout(limit);
  }
  return channelOf(room, microphone, (given) => {
    volume = given;
    for (const participant of room.remoteParticipants.values()) participant.setVolume(given);
  });
};
