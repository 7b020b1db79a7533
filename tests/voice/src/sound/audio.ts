// Audio of callers: as it sounds over a telephone, with noise, or spoilt.
import { decodePcmu, encodePcmu } from '@parlance/telephones';

/** Samples a second of a caller in a room. */
export const callerRate = 16_000;

export const telephoneRate = 8_000;

/** Through G.711 µ-law, as a telephone network carries it. */
export const overTelephone = (samples: Int16Array): Int16Array =>
  Int16Array.from(samples, (sample) => decodePcmu(encodePcmu(sample)));

const powerOf = (samples: Int16Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);

/** A generator of the same numbers for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const clamp = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

/** Adds pink noise, as of a street or a room, so much quieter than the voice. @param voice without the silence around it */
export const withNoise = (
  samples: Int16Array,
  decibels: number,
  random: () => number,
  voice = samples,
): Int16Array => {
  // Paul Kellet's filter of white noise, in its economy form.
  let [low, middle, high] = [0, 0, 0];
  const noise = Float64Array.from(samples, () => {
    const white = random() * 2 - 1;
    low = 0.99765 * low + white * 0.099046;
    middle = 0.963 * middle + white * 0.2965164;
    high = 0.57 * high + white * 1.0526913;
    return low + middle + high + white * 0.1848;
  });
  const power = noise.reduce((sum, value) => sum + value * value, 0) / Math.max(1, noise.length);
  const factor = Math.sqrt(powerOf(voice) / (power * 10 ** (decibels / 10)));
  return samples.map((sample, index) => clamp(sample + (noise[index] ?? 0) * factor));
};

/** As loud as a microphone that is overdriven. */
export const clipped = (samples: Int16Array, factor = 12): Int16Array =>
  samples.map((sample) => clamp(sample * factor));

/** Chords with a beat: sound that is no voice. */
export const music = (seconds: number, rate: number): Int16Array => {
  const chords = [
    [220, 277.18, 329.63],
    [246.94, 293.66, 369.99],
    [196, 246.94, 293.66],
    [174.61, 220, 261.63],
  ];
  return Int16Array.from({ length: Math.round(seconds * rate) }, (_, index) => {
    const time = index / rate;
    const chord = chords[Math.floor(time / 2) % chords.length] ?? [];
    const fading = Math.exp(-3 * (time % 0.5));
    return clamp(
      chord.reduce((sum, frequency) => sum + Math.sin(2 * Math.PI * frequency * time), 0) * 3_000 * fading,
    );
  });
};

/** @param channels the same samples in each */
export const waveOf = (samples: Int16Array, rate: number, channels = 1): Uint8Array<ArrayBuffer> => {
  const bytes = samples.length * 2 * channels;
  const file = Buffer.alloc(44 + bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2 * channels, 28);
  file.writeUInt16LE(2 * channels, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  for (const [index, sample] of samples.entries())
    for (let channel = 0; channel < channels; channel += 1)
      file.writeInt16LE(sample, 44 + (index * channels + channel) * 2);
  return new Uint8Array(file);
};

const humParts = [
  { fromMs: 0, toMs: 190, pitch: 1 },
  { fromMs: 250, toMs: 520, pitch: 1.25 },
] as const;
const humFadeMs = 30;

/** "Mm-hm" with closed lips: two tones of a voice without vowels. Engines of speech read the letters. */
export const hum = (hertz: number, rate: number): Int16Array =>
  Int16Array.from({ length: (humParts[1].toMs * rate) / 1_000 }, (_, index) => {
    const ms = (index * 1_000) / rate;
    const part = humParts.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
    if (part === undefined) return 0;
    const fade = Math.min(1, (ms - part.fromMs) / humFadeMs, (part.toMs - ms) / humFadeMs);
    let sample = 0;
    for (let harmonic = 1; harmonic <= 6; harmonic += 1)
      sample += Math.sin((2 * Math.PI * hertz * part.pitch * harmonic * ms) / 1_000) / harmonic ** 2;
    return Math.round(sample * fade * 6_000);
  });
