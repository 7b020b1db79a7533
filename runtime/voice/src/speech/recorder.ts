// Both sides of a call as one WAVE file: the agent on the left, the other party on the right.
import { type Audio, waveFile } from './audio.js';

export const recordedRate = 16_000;

/** Frames arrive in bursts; one that is due within this time follows the one before it. */
const toleranceMs = 400;

/** Nearest sample: the sides are voices, and one of them has this rate already. */
const resampled = ({ samples, rate }: Audio): Int16Array => {
  if (rate === recordedRate) return samples;
  const length = Math.floor((samples.length * recordedRate) / rate);
  return Int16Array.from({ length }, (_, index) => samples[Math.floor((index * rate) / recordedRate)] ?? 0);
};

class Side {
  #samples = new Int16Array(recordedRate * 60);
  length = 0;

  add(audio: Audio, atMs: number): void {
    const samples = resampled(audio);
    const due = Math.round((atMs * recordedRate) / 1_000);
    const tolerance = (toleranceMs * recordedRate) / 1_000;
    const at = due - this.length > tolerance ? due : this.length;
    if (at + samples.length > this.#samples.length) {
      const larger = new Int16Array((at + samples.length) * 2);
      larger.set(this.#samples);
      this.#samples = larger;
    }
    this.#samples.set(samples, at);
    this.length = at + samples.length;
  }

  at(index: number): number {
    return index < this.length ? (this.#samples[index] ?? 0) : 0;
  }
}

export interface RecordedCall {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly durationSeconds: number;
}

export class Recorder {
  readonly #agent = new Side();
  readonly #party = new Side();

  /** @param atMs milliseconds since the answer */
  spoken(audio: Audio, atMs: number): void {
    this.#agent.add(audio, atMs);
  }

  heard(audio: Audio, atMs: number): void {
    this.#party.add(audio, atMs);
  }

  finish(): RecordedCall {
    const length = Math.max(this.#agent.length, this.#party.length);
    const both = new Int16Array(length * 2);
    for (let index = 0; index < length; index += 1) {
      both[index * 2] = this.#agent.at(index);
      both[index * 2 + 1] = this.#party.at(index);
    }
    return {
      file: waveFile({ samples: both, rate: recordedRate }, 2),
      durationSeconds: length / recordedRate,
    };
  }
}
