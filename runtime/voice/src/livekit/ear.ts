// The ear: voice activity in the caller's audio, and the words of each stretch of voice.

import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { mergeFrames, stt, type VAD, VADEventType } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Audio } from '../speech/audio.js';
import type { EndOfTurn } from '../speech/end-of-turn-model.js';
import type { Recognition, Recognized } from '../speech/providers.js';
import { type Findings, Stretches } from '../speech/stretches.js';
import type { CallReport } from '../turns/call-report.js';
import type { Turns } from '../turns/turns.js';
import { EarlyVoice, Windows, windowMs } from './early-voice.js';

/** A click or a breath: no speech model finds words in it, and some invent them. */
const leastVoiceMs = 180;

/** A pause between two words is shorter in most cases. Work that was begun in vain costs a fraction of a second of a core. */
const earlyMs = 160;
/** What the model of the end of turn looks at. */
const turnMs = 8_000;
const pauseWithinTurnMs = 2_000;
const longestStretchMs = 60_000;
const prefixMs = 300;

export interface EarOptions {
  readonly vad: VAD;
  readonly recognition: Recognition;
  /** Undefined: silence alone decides when a turn is over. */
  readonly endOfTurn: EndOfTurn | undefined;
  readonly language: string;
  readonly report: CallReport;
  readonly onAudio?: (frame: AudioFrame) => void;
}

/** Voice of less probability is silence: the threshold of the detector. */
const voiced = 0.5;
/**
 * Voice of more probability pauses the agent. The detector smooths: 0.65 of a probability are of its window, the rest of those before, so that
 * the first windows of a voice seldom reach `voiced`. Measured with four voices at 8 kHz, this is 16 to 42 ms earlier. Pink noise as loud as the
 * voice does not reach it.
 */
const suspected = 0.2;

export class Ear {
  readonly #options: EarOptions;
  readonly #stop = new AbortController();

  constructor(options: EarOptions) {
    this.#options = options;
  }

  close(): void {
    this.#stop.abort();
  }

  /** @returns the words, for the captions of the room */
  listen(
    audio: ReadableStream<AudioFrame> | AsyncIterable<AudioFrame>,
    turns: Turns,
  ): ReadableStream<stt.SpeechEvent> {
    const voices = this.#options.vad.stream();
    const early = new EarlyVoice(this.#options.vad, (probability) => {
      if (probability > suspected) turns.voiceSuspected(windowMs);
    });
    const close = (): void => {
      voices.close();
      early.close();
    };
    this.#stop.signal.addEventListener('abort', close, { once: true });
    const windows = new Windows();
    const feed = async (): Promise<void> => {
      for await (const frame of audio) {
        // Read to its end: the framework fails when its stream is cancelled.
        if (this.#stop.signal.aborted) continue;
        this.#options.onAudio?.(frame);
        for (const window of windows.cut(frame)) voices.pushFrame(window);
        early.hear(frame, turns.canBePaused);
      }
      voices.endInput();
      early.close();
    };
    void feed().catch(() => undefined);
    const stretches = new Stretches({
      examine: (stretch, turn, signal) => this.#examine(stretch, turn, signal),
      earlyMs,
      leastVoiceMs,
      prefixMs,
      longestMs: longestStretchMs,
      turnMs,
      pauseMs: pauseWithinTurnMs,
    });
    return new ReadableStream({
      start: async (captions) => {
        // The event of the end does not have it.
        let speechMs = 0;
        for await (const event of voices) {
          if (event.type === VADEventType.START_OF_SPEECH) {
            stretches.begin();
            turns.voiceStarted();
            turns.voiceContinues(event.speechDuration);
          } else if (event.type === VADEventType.INFERENCE_DONE) {
            const { data, sampleRate } = mergeFrames(event.frames);
            const isVoice = event.probability > voiced;
            const silenceMs = isVoice ? 0 : event.rawAccumulatedSilence + windowMs;
            const voiceMs = event.speaking ? event.speechDuration - event.rawAccumulatedSilence : 0;
            // The audio of the other events is of a buffer that is overwritten by the time they are read.
            stretches.add({ samples: data, rate: sampleRate }, { voiceMs, silenceMs });
            if (!event.speaking) {
              // The event counts the windows before it.
              turns.voiceSuspected(event.probability > suspected ? event.rawAccumulatedSpeech + windowMs : 0);
              continue;
            }
            speechMs = event.speechDuration;
            turns.voiceContinues(voiceMs);
          } else if (event.type === VADEventType.END_OF_SPEECH) {
            const voiceMs = Math.max(0, speechMs - event.silenceDuration);
            const { words: found, by, finished } = stretches.end(voiceMs);
            const words = found.then(async (text) => {
              if (by !== undefined) this.#options.report.recognized(await by);
              return text;
            });
            void words.then((text) => this.#caption(text, captions)).catch(() => undefined);
            void turns.voiceEnded({ voiceMs, silenceMs: event.silenceDuration, words, finished });
          }
        }
        captions.close();
      },
    });
  }

  #examine(stretch: Audio, turn: Audio, early: AbortSignal): Findings {
    const signal = AbortSignal.any([early, this.#stop.signal]);
    const recognized = this.#recognize(stretch, signal);
    return {
      words: recognized.then(({ text }) => text),
      by: recognized,
      finished: this.#options.endOfTurn?.estimate(turn, signal) ?? Promise.resolve(undefined),
    };
  }

  async #recognize(audio: Audio, signal: AbortSignal): Promise<Recognized> {
    const { recognition, language, report } = this.#options;
    const recognized = await recognition.recognize(audio, language, signal);
    report.use({
      kind: 'stt',
      quantity: audio.samples.length / audio.rate,
      unit: 'second',
      provider: recognized.provider,
      model: recognized.model,
    });
    return recognized;
  }

  #caption(text: string, captions: ReadableStreamDefaultController<stt.SpeechEvent>): void {
    if (text === '' || this.#stop.signal.aborted) return;
    captions.enqueue({
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [
        {
          text,
          language: this.#options.language as stt.SpeechData['language'],
          startTime: 0,
          endTime: 0,
          confidence: 1,
        },
      ],
    });
  }
}

/** Makes the session run its audio through `Ear.listen`; it recognizes nothing itself. */
export class EarOfSession extends stt.STT {
  label = 'parlance.Ear';

  constructor() {
    super({ streaming: true, interimResults: false });
  }

  override _recognize(): Promise<stt.SpeechEvent> {
    return Promise.reject(new Error('the ear listens to streams'));
  }

  override stream(): stt.SpeechStream {
    throw new Error('the ear listens through the sttNode of its agent');
  }
}
