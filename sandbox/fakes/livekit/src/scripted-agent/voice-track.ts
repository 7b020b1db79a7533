// Sound in a room: the agent's voice as a track of its own, and the samples of somebody else's track.
import {
  AudioFrame,
  AudioResampler,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type RemoteTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { heardRate } from './heard.js';
import type { Sound } from './voice.js';

interface VoiceTrack {
  /** Resolves when the last sample was played, or when the signal is aborted. */
  say(sound: Sound, until: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const spokenRate = 24_000;
const frameMs = 20;
/** So much of the voice is sent ahead. */
const queueMs = 200;

const framesOf = ({ samples, sampleRate }: Sound): AudioFrame[] => {
  const whole = new AudioFrame(samples, sampleRate, 1, samples.length);
  if (sampleRate === spokenRate) return [whole];
  const resampler = new AudioResampler(sampleRate, spokenRate);
  const frames = [...resampler.push(whole), ...resampler.flush()];
  resampler.close();
  return frames;
};

/** Plays sounds one after the other through one track of the room. */
export const publishVoice = async (room: Room): Promise<VoiceTrack> => {
  const source = new AudioSource(spokenRate, 1, queueMs);
  const track = LocalAudioTrack.createAudioTrack('voice', source);
  await room.localParticipant?.publishTrack(
    track,
    new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
  );
  const size = (spokenRate * frameMs) / 1_000;
  const say: VoiceTrack['say'] = async (sound, until) => {
    for (const { data } of framesOf(sound)) {
      for (let at = 0; at < data.length && !until.aborted; at += size) {
        const samples = data.slice(at, at + size);
        await source.captureFrame(new AudioFrame(samples, spokenRate, 1, samples.length));
      }
    }
    if (until.aborted) source.clearQueue();
    else await source.waitForPlayout();
  };
  return { say, close: () => source.close() };
};

/** Ends with the track. A participant that left takes the track along, and the library then knows it no more. */
export const listen = async (track: RemoteTrack, onSamples: (samples: Int16Array) => void): Promise<void> => {
  try {
    for await (const { data } of new AudioStream(track, heardRate, 1)) onSamples(data);
  } catch {
    // The end of the participation is told by the room.
  }
};
