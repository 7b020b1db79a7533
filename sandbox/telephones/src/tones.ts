// Audio that a program can understand. Digits are pairs of tones (DTMF, in the audio itself), coded as telephones do
// (PCMU, 8000 samples a second).
import { frequenciesOf, sines } from '@parlance/fake-kit/tones';

export const sampleRate = 8_000;
/** The samples of one packet: 20 ms. */
export const frameSamples = 160;

const bias = 132;
const clip = 32_635;

/** One sample of 16 bits in the 8 bits of PCMU (ITU-T G.711). */
export const encodePcmu = (sample: number): number => {
  const magnitude = Math.min(Math.abs(Math.round(sample)), clip) + bias;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
};

export const decodePcmu = (code: number): number => {
  const bits = ~code & 0xff;
  const magnitude = (((bits & 0x0f) << 3) + bias) << ((bits & 0x70) >> 4);
  return bits & 0x80 ? bias - magnitude : magnitude - bias;
};

const coded = (samples: Int16Array): Buffer => Buffer.from(Uint8Array.from(samples, encodePcmu));

export const silence = (ms: number): Buffer => coded(new Int16Array((ms * sampleRate) / 1_000));

const keyStrength = 16_000;

/** @throws Error for a character that no telephone has */
const keyTone = (key: string): Buffer => {
  const frequencies = frequenciesOf(key);
  if (frequencies === undefined) throw new Error(`a telephone has no key ${key}`);
  return coded(sines(frequencies, 200, sampleRate, keyStrength));
};

/** Each key for 200 ms with a pause of 100 ms, and a longer pause after the last. */
export const spokenDigits = (digits: string): Buffer =>
  Buffer.concat([...[...digits].flatMap((key) => [keyTone(key), silence(100)]), silence(400)]);

/** The greeting of a voicemail: a hum that rises and falls like speech, a pause, and the beep. */
export const greetingAndBeep = (): Buffer =>
  Buffer.concat([
    ...Array.from({ length: 12 }, (_, index) =>
      Buffer.concat([coded(sines([170 + 25 * (index % 4), 520, 1_100], 180, sampleRate)), silence(60)]),
    ),
    silence(400),
    coded(sines([1_000], 600, sampleRate, 10_000)),
  ]);
