// Hears which digits are spoken in the audio that reaches a telephone.
import { createToneListener } from '@parlance/fake-kit/tones';
import { decodePcmu, sampleRate } from './tones.js';

/** Takes audio piece by piece and keeps the digits that it heard. */
export class Hearing {
  readonly #listener = createToneListener(sampleRate);

  get heard(): string {
    return this.#listener.keysSoFar();
  }

  /** @param payload PCMU */
  hear(payload: Uint8Array): void {
    this.#listener.hear(Int16Array.from(payload, decodePcmu));
  }
}
