// A caller with a recorded voice in the room of a call. It knows to the frame when its own voice ended, and when the agent's
// began and ended.
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { callerRate } from '../sound/audio.js';

/** Samples above this are a voice, not the noise of a codec. */
const audible = 400;
/** The agent pauses for less than this between two words. */
const pauseMs = 250;
const frameMs = 10;
const pollMs = 10;

export interface Caption {
  readonly from: string;
  readonly text: string;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Caller {
  readonly #room = new Room();
  readonly #source = new AudioSource(callerRate, 1, 200);
  readonly #captions = new Map<string, Caption>();
  /** The times of the agent's audible frames. */
  readonly #voiced: number[] = [];
  isOver = false;

  static async join(url: string, token: string): Promise<Caller> {
    const caller = new Caller();
    await caller.#join(url, token);
    return caller;
  }

  get captions(): readonly Caption[] {
    return [...this.#captions.values()];
  }

  async #join(url: string, token: string): Promise<void> {
    const room = this.#room;
    room.on(RoomEvent.Disconnected, () => {
      this.isOver = true;
    });
    room.on(RoomEvent.TrackSubscribed, (track) => {
      if (track.kind === TrackKind.KIND_AUDIO) void this.#listen(new AudioStream(track, callerRate, 1));
    });
    room.registerTextStreamHandler('lk.transcription', async (reader, { identity }) => {
      const segment = reader.info.attributes?.['lk.segment_id'] ?? reader.info.streamId;
      const text = await reader.readAll().catch(() => undefined);
      if (text !== undefined) this.#captions.set(segment, { from: identity, text });
    });
    await room.connect(url, token, { autoSubscribe: true, dynacast: false });
    await room.localParticipant?.publishTrack(
      LocalAudioTrack.createAudioTrack('microphone', this.#source),
      new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
    );
  }

  async #listen(audio: AudioStream): Promise<void> {
    for await (const { data } of audio)
      if (data.some((sample) => Math.abs(sample) > audible)) this.#voiced.push(Date.now());
  }

  /** @returns the time at which the voice ended */
  async speak(samples: Int16Array): Promise<number> {
    const frame = (callerRate * frameMs) / 1_000;
    const play = async (sounds: Int16Array): Promise<void> => {
      for (let at = 0; at < sounds.length && !this.isOver; at += frame) {
        const part = new Int16Array(frame);
        part.set(sounds.subarray(at, at + frame));
        await this.#source.captureFrame(new AudioFrame(part, callerRate, 1, frame));
      }
    };
    await play(samples);
    await this.#source.waitForPlayout();
    const endedAt = Date.now();
    // The room may end meanwhile.
    void play(new Int16Array(callerRate)).catch(() => undefined);
    return endedAt;
  }

  /** The agent's first sound after a time. */
  async soundAfter(time: number, withinMs = 15_000): Promise<number | undefined> {
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline && !this.isOver) {
      const found = this.#voiced.find((at) => at > time);
      if (found !== undefined) return found;
      await pause(pollMs);
    }
    return undefined;
  }

  /** The end of the agent's voice: the last sound before `pauseMs` of silence. */
  async silenceAfter(time: number, withinMs = 30_000, leastMs = pauseMs): Promise<number | undefined> {
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline && !this.isOver) {
      const last = this.#voiced.at(-1);
      if (last !== undefined && last > time && Date.now() - last > leastMs) return last;
      await pause(pollMs);
    }
    return undefined;
  }

  /** The first sound from `time` on that is followed by a silence. */
  quietFrom(time: number): number {
    let last = time;
    for (const at of this.#voiced) {
      if (at <= time) continue;
      if (at - last > pauseMs) break;
      last = at;
    }
    return last;
  }

  isSpeaking(): boolean {
    return Date.now() - (this.#voiced.at(-1) ?? 0) < pauseMs;
  }

  async type(text: string): Promise<void> {
    await this.#room.localParticipant?.sendText(text, { topic: 'lk.chat' });
  }

  async press(digits: string): Promise<void> {
    for (const digit of digits)
      await this.#room.localParticipant?.publishDtmf('*#'.includes(digit) ? 10 : Number(digit), digit);
  }

  async leave(): Promise<void> {
    await this.#room.disconnect();
    await this.#source.close();
  }
}
