// Audio that a program can understand: digits as pairs of tones (DTMF, in the audio itself), coded as telephones do (PCMU,
// 8000 samples a second).

export const sampleRate = 8_000;
/** The samples of one packet: 20 ms. */
export const frameSamples = 160;

export const lowTones = [697, 770, 852, 941] as const;
export const highTones = [1209, 1336, 1477, 1633] as const;
const keys = ['123A', '456B', '789C', '*0#D'] as const;

/** The key of a pair of tones, by their places in the two lists. */
export const keyAt = (low: number, high: number): string => keys[low]?.[high] ?? '';

const tonesOf = (key: string): readonly [number, number] => {
  const low = keys.findIndex((row) => row.includes(key));
  const high = keys[low]?.indexOf(key) ?? -1;
  const pair = [lowTones[low], highTones[high]] as const;
  if (pair[0] === undefined || pair[1] === undefined) throw new Error(`a telephone has no key ${key}`);
  return [pair[0], pair[1]];
};

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

const samplesOf = (ms: number): number => (ms * sampleRate) / 1_000;

/** Some tones at once for a while. */
export const sound = (ms: number, tones: readonly number[], loudness = 8_000): Buffer =>
  Buffer.from(
    Array.from({ length: samplesOf(ms) }, (_, index) =>
      encodePcmu(
        tones.reduce((sum, tone) => sum + Math.sin((2 * Math.PI * tone * index) / sampleRate), 0) * loudness,
      ),
    ),
  );

export const silence = (ms: number): Buffer => Buffer.alloc(samplesOf(ms), encodePcmu(0));

/** Each key for 200 ms with a pause of 100 ms, and a longer pause after the last. */
export const spokenDigits = (digits: string): Buffer =>
  Buffer.concat([...[...digits].flatMap((key) => [sound(200, tonesOf(key)), silence(100)]), silence(400)]);

/** The greeting of a voicemail: a hum that rises and falls like speech, a pause, and the beep. */
export const greetingAndBeep = (): Buffer =>
  Buffer.concat([
    ...Array.from({ length: 12 }, (_, index) =>
      Buffer.concat([sound(180, [170 + 25 * (index % 4), 520, 1_100], 3_000), silence(60)]),
    ),
    silence(400),
    sound(600, [1_000], 10_000),
  ]);
