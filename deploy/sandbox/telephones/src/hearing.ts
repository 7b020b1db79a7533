// Hears which digits are spoken in audio: the energy at each tone of the keys (Goertzel), 40 ms at a time.
import { decodePcmu, frameSamples, highTones, keyAt, lowTones, sampleRate } from './tones.js';

const energyAt = (tone: number, samples: readonly number[]): number => {
  const coefficient = 2 * Math.cos((2 * Math.PI * tone) / sampleRate);
  let before = 0;
  let last = 0;
  for (const sample of samples) {
    const now = sample + coefficient * last - before;
    before = last;
    last = now;
  }
  return before * before + last * last - coefficient * before * last;
};

interface Loudest {
  readonly index: number;
  readonly energy: number;
}

const loudestOf = (tones: readonly number[], samples: readonly number[]): Loudest =>
  tones
    .map((tone, index) => ({ index, energy: energyAt(tone, samples) }))
    .reduce((best, one) => (one.energy > best.energy ? one : best));

/** Of a pure pair of tones nearly all energy is at its two; speech and noise spread theirs. */
const ownShare = 0.7;
const quiet = 200;

const keyIn = (samples: readonly number[]): string => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0);
  if (power < quiet * quiet * samples.length) return '';
  const low = loudestOf(lowTones, samples);
  const high = loudestOf(highTones, samples);
  const share = (2 * (low.energy + high.energy)) / (samples.length * power);
  return share > ownShare && low.energy < 10 * high.energy && high.energy < 10 * low.energy
    ? keyAt(low.index, high.index)
    : '';
};

/** So many pieces of 20 ms in a row are one key. */
const held = 3;

/** Takes audio piece by piece and keeps the digits that it heard. */
export class Hearing {
  #previous: readonly number[] = [];
  #key = '';
  #count = 0;
  #heard = '';

  get heard(): string {
    return this.#heard;
  }

  /** @param payload PCMU of 20 ms */
  hear(payload: Uint8Array): void {
    const samples = [...payload.subarray(0, frameSamples)].map(decodePcmu);
    const key = keyIn([...this.#previous, ...samples]);
    this.#previous = samples;
    this.#count = key === this.#key ? this.#count + 1 : 1;
    this.#key = key;
    if (key !== '' && this.#count === held) this.#heard += key;
  }
}
