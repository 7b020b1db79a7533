// The mouth: pieces of a text become audio in the room, and what has really sounded is known by the position of the playback.

import { ReadableStream } from 'node:stream/web';
import { type SpeechHandle, voice } from '@livekit/agents';
import { AudioFrame, AudioResampler } from '@livekit/rtc-node';
import { type Audio, msOf } from '../speech/audio.js';
import { Frames } from '../speech/frames.js';
import { piecesOf, type WholeAt } from '../speech/pieces.js';
import { PlaybackClock } from '../speech/playback-clock.js';
import type { Speech } from '../speech/providers.js';
import { type SpokenPiece, spokenUntil } from '../speech/spoken.js';
import type { Mouth, Spoken, Utterance } from '../turns/ports.js';

export const spokenRate = 24_000;
/** A pause takes effect at the next frame: 10 ms, the unit in which WebRTC takes audio from a source. */
const frameSamples = spokenRate / 100;

export interface VoiceMouthOptions {
  readonly session: voice.AgentSession;
  /** Undefined: the agent writes. */
  readonly speech: Speech | undefined;
  readonly language: string;
  readonly wholeAt: WholeAt;
  readonly onAudio?: (frame: AudioFrame) => void;
}

const frameOf = (samples: Int16Array): AudioFrame => new AudioFrame(samples, spokenRate, 1, frameSamples);

/** Cuts audio of any rate into frames of 10 ms. */
class Framer {
  readonly #frames = new Frames(frameSamples);
  #resampler: AudioResampler | undefined;
  #rate = spokenRate;

  frames(audio: Audio): AudioFrame[] {
    return this.#cut(this.#resampled(audio));
  }

  flush(): AudioFrame[] {
    const flushed = this.#resampler?.flush() ?? [];
    this.#resampler?.close();
    this.#resampler = undefined;
    const frames = flushed.flatMap(({ data }) => this.#cut(data));
    const last = this.#frames.flush();
    return last === undefined ? frames : [...frames, frameOf(last)];
  }

  #resampled({ samples, rate }: Audio): Int16Array {
    if (rate === spokenRate) return samples;
    if (this.#resampler === undefined || this.#rate !== rate) {
      this.#resampler?.close();
      this.#resampler = new AudioResampler(rate, spokenRate, 1);
      this.#rate = rate;
    }
    const parts = this.#resampler
      .push(new AudioFrame(samples, rate, 1, samples.length))
      .map(({ data }) => data);
    const joined = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  #cut(samples: Int16Array): AudioFrame[] {
    return this.#frames.cut(samples).map(frameOf);
  }
}

interface Sounding {
  readonly pieces: { text: string; ms: number }[];
  isWhole: boolean;
  /** What was written where nothing is spoken. */
  written: string;
  error: Error | undefined;
}

const msOfPieces = (pieces: readonly SpokenPiece[]): number => pieces.reduce((sum, { ms }) => sum + ms, 0);

/** The caption gets the text as it grows, the speech gets a copy of it. */
const split = (text: AsyncIterable<string>): readonly [ReadableStream<string>, ReadableStream<string>] =>
  ReadableStream.from<string>(text).tee() as [ReadableStream<string>, ReadableStream<string>];

export class VoiceMouth implements Mouth {
  readonly #options: VoiceMouthOptions;
  readonly #clock = new PlaybackClock();

  constructor(options: VoiceMouthOptions) {
    this.#options = options;
  }

  pause(): void {
    this.#clock.pause();
    this.#options.session.output.audio?.pause();
  }

  resume(): void {
    this.#clock.resume();
    this.#options.session.output.audio?.resume();
  }

  say(text: AsyncIterable<string>): Utterance {
    const { session, speech } = this.#options;
    const sounding: Sounding = { pieces: [], isWhole: false, written: '', error: undefined };
    const stop = new AbortController();
    const [caption, spoken] = split(text);
    const audio = speech && this.#audio(speech, spoken, sounding, stop.signal);
    if (audio === undefined) void this.#collect(spoken, sounding);
    const output = session.output.audio;
    let sounded: (() => number) | undefined;
    let playedMs = 0;
    const onStarted = ({ createdAt }: voice.PlaybackStartedEvent): void => {
      sounded ??= this.#clock.since(createdAt);
    };
    const onFinished = ({ playbackPosition }: voice.PlaybackFinishedEvent): void => {
      playedMs += playbackPosition * 1_000;
    };
    output?.on('playbackFinished', onFinished);
    const handle = session.say(caption, { addToChatCtx: false, ...(audio === undefined ? {} : { audio }) });
    const started = this.#started(handle, onStarted);
    const done = handle.waitForPlayout().then((): Spoken => {
      stop.abort();
      output?.off('playbackFinished', onFinished);
      const { error } = sounding;
      if (audio === undefined) return { spokenText: sounding.written, interrupted: handle.interrupted };
      const isWhole = sounding.isWhole && !handle.interrupted && error === undefined;
      const spokenText = isWhole
        ? sounding.pieces.map((piece) => piece.text).join(' ')
        : spokenUntil(sounding.pieces, playedMs);
      // Cut off in the silence behind its last word: nothing was lost.
      const isHeard = sounding.isWhole && spokenText === sounding.pieces.map((piece) => piece.text).join(' ');
      const interrupted = handle.interrupted && !isHeard;
      return { spokenText, interrupted, ...(error === undefined ? {} : { error }) };
    });
    return {
      started,
      done,
      remainingMs: () =>
        sounding.isWhole && sounded !== undefined
          ? Math.max(0, msOfPieces(sounding.pieces) - sounded())
          : undefined,
      interrupt: () => {
        stop.abort();
        if (!handle.done()) handle.interrupt(true);
      },
    };
  }

  /** The framework's playback starts once for each utterance. */
  #started(
    handle: SpeechHandle,
    onStarted: (event: voice.PlaybackStartedEvent) => void,
  ): Promise<number | undefined> {
    const output = this.#options.session.output.audio;
    if (output === null || output === undefined) return Promise.resolve(Date.now());
    return new Promise((resolve) => {
      const listen = (event: voice.PlaybackStartedEvent): void => {
        onStarted(event);
        resolve(event.createdAt);
      };
      output.once('playbackStarted', listen);
      void handle.waitForPlayout().finally(() => {
        output.off('playbackStarted', listen);
        resolve(undefined);
      });
    });
  }

  async #collect(text: ReadableStream<string>, sounding: Sounding): Promise<void> {
    for await (const part of text) sounding.written += part;
  }

  #audio(
    speech: Speech,
    text: ReadableStream<string>,
    sounding: Sounding,
    signal: AbortSignal,
  ): ReadableStream<AudioFrame> {
    return ReadableStream.from(this.#heard(this.#spoken(speech, text, sounding, signal)));
  }

  async *#heard(frames: AsyncIterable<AudioFrame>): AsyncGenerator<AudioFrame> {
    for await (const frame of frames) {
      this.#options.onAudio?.(frame);
      yield frame;
    }
  }

  async *#spoken(
    speech: Speech,
    text: AsyncIterable<string>,
    sounding: Sounding,
    signal: AbortSignal,
  ): AsyncGenerator<AudioFrame> {
    const framer = new Framer();
    try {
      for await (const audio of this.#ahead(speech, text, sounding, signal))
        for await (const part of audio) yield* framer.frames(part);
      yield* framer.flush();
    } catch (error) {
      if (!signal.aborted) sounding.error = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** The audio of each piece. The next piece is made while one plays, and after the one before it: they share a processor. */
  async *#ahead(
    speech: Speech,
    text: AsyncIterable<string>,
    sounding: Sounding,
    signal: AbortSignal,
  ): AsyncGenerator<AsyncIterable<Audio>> {
    const pieces = piecesOf(text, this.#options.wholeAt);
    let before: Promise<void> = Promise.resolve();
    const startNext = async (): Promise<AsyncIterable<Audio> | undefined> => {
      const next = await pieces.next();
      await before;
      if (next.done) {
        sounding.isWhole = true;
        return undefined;
      }
      const made = this.#make(speech, next.value, sounding, signal);
      before = made.done;
      return made.audio;
    };
    for (let audio = await startNext(); audio !== undefined; ) {
      const next = startNext();
      // Read below, also when this generator is left early.
      next.catch(() => undefined);
      yield audio;
      audio = await next;
    }
  }

  #make(speech: Speech, piece: string, sounding: Sounding, signal: AbortSignal) {
    const entry = { text: piece, ms: 0 };
    sounding.pieces.push(entry);
    let done: () => void = () => undefined;
    const audio = new ReadableStream<Audio>({
      start: async (controller) => {
        try {
          for await (const part of speech.synthesize(piece, this.#options.language, signal)) {
            entry.ms += msOf(part);
            controller.enqueue(part);
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        done();
      },
    });
    return {
      audio,
      done: new Promise<void>((resolve) => {
        done = resolve;
      }),
    };
  }
}
