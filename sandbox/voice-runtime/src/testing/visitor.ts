// A visitor of a website, for tests. It joins a room with the library of participants, and speaks through a microphone of its
// own. It keeps the captions and states that it is shown.
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  type RemoteTrackPublication,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import type { Sound } from '../voice.js';
import { visitorToken } from './witness.js';

export interface Caption {
  readonly from: string;
  readonly text: string;
  readonly segment: string | undefined;
  readonly track: string | undefined;
  readonly isFinal: boolean;
  /** Parts in which the text came. */
  readonly pieces: number;
}

export interface TestVisitor {
  readonly identity: string;
  /** Ids of the tracks of the visitor and of the agent. */
  track(): string | undefined;
  agentTrack(): string | undefined;
  captions(): readonly Caption[];
  states(): readonly string[];
  play(sound: Sound): Promise<void>;
  type(text: string): Promise<void>;
  leave(): Promise<void>;
}

export interface TestVisitorOptions {
  readonly url: string;
  readonly room: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

const silenceSeconds = 1;

export const joinAsVisitor = async (options: TestVisitorOptions): Promise<TestVisitor> => {
  const room = new Room();
  const captions: Caption[] = [];
  const states: string[] = [];
  room.registerTextStreamHandler('lk.transcription', async (reader, { identity }) => {
    const { attributes = {} } = reader.info;
    const pieces: string[] = [];
    try {
      for await (const piece of reader) pieces.push(piece);
    } catch {
      return; // the room ended in the middle of it
    }
    captions.push({
      from: identity,
      text: pieces.join(''),
      segment: attributes['lk.segment_id'],
      track: attributes['lk.transcribed_track_id'],
      isFinal: attributes['lk.transcription_final'] === 'true',
      pieces: pieces.length,
    });
  });
  room.on(RoomEvent.ParticipantAttributesChanged, (changed) => {
    const state = changed['lk.agent.state'];
    if (state !== undefined) states.push(state);
  });
  const token = await visitorToken(options, options.room);
  await room.connect(options.url, token, { autoSubscribe: true, dynacast: false });
  const rate = 16_000;
  const source = new AudioSource(rate, 1, 10_000);
  const microphone = await room.localParticipant?.publishTrack(
    LocalAudioTrack.createAudioTrack('microphone', source),
    new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
  );
  const others = (): RemoteTrackPublication[] =>
    [...room.remoteParticipants.values()].flatMap(({ trackPublications }) => [...trackPublications.values()]);
  const playSamples = (samples: Int16Array): Promise<void> =>
    source.captureFrame(new AudioFrame(samples, rate, 1, samples.length));
  let isGone = false;
  return {
    identity: room.localParticipant?.identity ?? '',
    track: () => microphone?.sid,
    agentTrack: () => others()[0]?.sid,
    captions: () => captions,
    states: () => states,
    play: async ({ samples }) => {
      await playSamples(samples);
      // Keys have ended once it is quiet.
      await playSamples(new Int16Array(rate * silenceSeconds));
    },
    type: async (text) => {
      await room.localParticipant?.sendText(text, { topic: 'lk.chat' });
    },
    leave: async () => {
      if (isGone) return;
      isGone = true;
      await room.disconnect();
      await source.close();
    },
  };
};
