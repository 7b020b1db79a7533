// The ear: voice activity in the caller's audio, and the words of each stretch of voice.

import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { mergeFrames, stt, type VAD, VADEventType } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Recognition } from '../speech/providers.js';
import type { CallReport } from '../turns/call-report.js';
import type { Turns } from '../turns/turns.js';

/** A click or a breath: no speech model finds words in it, and some invent them. */
const leastVoiceMs = 180;

export interface EarOptions {
  readonly vad: VAD;
  readonly recognition: Recognition;
  readonly language: string;
  readonly report: CallReport;
  readonly onAudio?: (frame: AudioFrame) => void;
}

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
    this.#stop.signal.addEventListener('abort', () => voices.close(), { once: true });
    const feed = async (): Promise<void> => {
      for await (const frame of audio) {
        // Read to its end: the framework fails when its stream is cancelled.
        if (this.#stop.signal.aborted) continue;
        this.#options.onAudio?.(frame);
        voices.pushFrame(frame);
      }
      voices.endInput();
    };
    void feed().catch(() => undefined);
    return new ReadableStream({
      start: async (captions) => {
        // The event of the end does not have it.
        let speechMs = 0;
        for await (const event of voices) {
          if (event.type === VADEventType.START_OF_SPEECH) turns.voiceStarted();
          else if (event.type === VADEventType.INFERENCE_DONE) {
            if (!event.speaking) continue;
            speechMs = event.speechDuration;
            turns.voiceContinues(speechMs - event.rawAccumulatedSilence);
          } else if (event.type === VADEventType.END_OF_SPEECH) {
            const voiceMs = Math.max(0, speechMs - event.silenceDuration);
            const words = voiceMs < leastVoiceMs ? Promise.resolve('') : this.#words(event.frames, captions);
            void turns.voiceEnded({ voiceMs, silenceMs: event.silenceDuration, words });
          }
        }
        captions.close();
      },
    });
  }

  async #words(
    frames: AudioFrame[],
    captions: ReadableStreamDefaultController<stt.SpeechEvent>,
  ): Promise<string> {
    const { recognition, language, report } = this.#options;
    const { data, sampleRate } = mergeFrames(frames);
    const recognized = await recognition.recognize(
      { samples: data, rate: sampleRate },
      language,
      this.#stop.signal,
    );
    report.recognized(recognized);
    report.use({
      kind: 'stt',
      quantity: data.length / sampleRate,
      unit: 'second',
      provider: recognized.provider,
      model: recognized.model,
    });
    if (recognized.text !== '' && !this.#stop.signal.aborted)
      captions.enqueue({
        type: stt.SpeechEventType.FINAL_TRANSCRIPT,
        alternatives: [
          {
            text: recognized.text,
            language: language as stt.SpeechData['language'],
            startTime: 0,
            endTime: 0,
            confidence: 1,
          },
        ],
      });
    return recognized.text;
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
