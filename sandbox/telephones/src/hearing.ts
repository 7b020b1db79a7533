// Hears which digits are spoken in the audio that reaches a telephone, and when there is any voice in it.
import { createToneListener } from '@parlance/fake-kit/tones';
import { decodePcmu, sampleRate } from './tones.js';

/** Two sounds with a shorter pause between them are one voice. */
const pauseMs = 300;
/** Samples above this are a voice, not the noise of a codec. */
const audible = 400;

/** A voice; times are milliseconds since 1970. */
export interface HeardVoice {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Takes audio piece by piece and keeps the digits that it heard. */
export class Hearing {
  readonly #listener = createToneListener(sampleRate);
  readonly #voices: HeardVoice[] = [];

  get heard(): string {
    return this.#listener.keysSoFar();
  }

  get voices(): readonly HeardVoice[] {
    return this.#voices;
  }

  /** @param payload PCMU */
  hear(payload: Uint8Array): void {
    const samples = Int16Array.from(payload, decodePcmu);
    this.#listener.hear(samples);
    if (!samples.some((sample) => Math.abs(sample) > audible)) return;
    const now = Date.now();
    const last = this.#voices.at(-1);
    if (last !== undefined && now - last.toMs < pauseMs) this.#voices.splice(-1, 1, { ...last, toMs: now });
    else this.#voices.push({ fromMs: now, toMs: now });
  }
}
