// Tones in samples: the strength of one frequency, and the key of a telephone that two frequencies mean.

const rows = [697, 770, 852, 941] as const;
const columns = [1209, 1336, 1477, 1633] as const;
const keypad = ['123A', '456B', '789C', '*0#D'] as const;

/** Both tones of a key together carry at least this share of the power, and each of them this share. */
const bothTones = 0.7;
const eachTone = 0.15;
/** Quieter blocks are silence. A full sine has a root mean square of 23,170. */
const quietest = 250;

/** Frequencies between which a single tone is looked for, in hertz. */
const beepFrom = 380;
const beepTo = 1_800;
const beepStep = 20;
const singleTone = 0.8;

/** Power of one frequency by the algorithm of Goertzel, as a share of the power of all samples. A pure sine has 1. */
export const shareOf = (samples: Int16Array, frequency: number, sampleRate: number): number => {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequency) / sampleRate);
  let [last, beforeLast, power] = [0, 0, 0];
  for (const sample of samples) {
    const now = sample + coefficient * last - beforeLast;
    beforeLast = last;
    last = now;
    power += sample * sample;
  }
  const magnitude = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
  return power === 0 ? 0 : (2 * magnitude) / (samples.length * power);
};

const strongest = (shares: readonly number[]): number => shares.indexOf(Math.max(...shares));

const isSilent = (samples: Int16Array): boolean => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0);
  return power < quietest * quietest * samples.length;
};

const keyIn = (samples: Int16Array, sampleRate: number): string | undefined => {
  const rowShares = rows.map((frequency) => shareOf(samples, frequency, sampleRate));
  const columnShares = columns.map((frequency) => shareOf(samples, frequency, sampleRate));
  const [row, column] = [strongest(rowShares), strongest(columnShares)];
  const [low = 0, high = 0] = [rowShares[row], columnShares[column]];
  return low >= eachTone && high >= eachTone && low + high >= bothTones ? keypad[row]?.[column] : undefined;
};

const hasSingleTone = (samples: Int16Array, sampleRate: number): boolean => {
  for (let frequency = beepFrom; frequency <= beepTo; frequency += beepStep)
    if (shareOf(samples, frequency, sampleRate) >= singleTone) return true;
  return false;
};

/** A key of a telephone, a single steady tone, or neither. */
export type Kind = { readonly key: string } | 'tone' | 'other';

/** The sound of one block. Blocks of 20 to 30 ms tell the keys apart and are shorter than any key is pressed. */
export const kindOf = (samples: Int16Array, sampleRate: number): Kind => {
  if (isSilent(samples)) return 'other';
  const key = keyIn(samples, sampleRate);
  if (key !== undefined) return { key };
  return hasSingleTone(samples, sampleRate) ? 'tone' : 'other';
};

/** Frequencies of a key in hertz; undefined for a character that no telephone has. */
export const frequenciesOf = (key: string): readonly [number, number] | undefined => {
  const row = keypad.findIndex((keys) => keys.includes(key));
  const [low, high] = [rows[row], columns[keypad[row]?.indexOf(key) ?? -1]];
  return low === undefined || high === undefined ? undefined : [low, high];
};

/** The largest sample, unless a caller wants a quieter or louder sound. */
const usualStrength = 9_000;

/** Sines of the same strength that sound together. @param strength of the largest sample */
export const sines = (
  frequencies: readonly number[],
  ms: number,
  sampleRate: number,
  strength = usualStrength,
): Int16Array =>
  Int16Array.from({ length: Math.round((ms * sampleRate) / 1_000) }, (_, index) => {
    const sum = frequencies.reduce(
      (all, frequency) => all + Math.sin((2 * Math.PI * frequency * index) / sampleRate),
      0,
    );
    return Math.round((sum * strength) / Math.max(1, frequencies.length));
  });

const pressMs = 200;
const pauseMs = 100;
const pressRate = 16_000;

/** Keys as a hand presses them. Characters that no telephone has are left out. */
export const pressed = (keys: string): { readonly samples: Int16Array; readonly sampleRate: number } => {
  const pause = new Int16Array((pauseMs * pressRate) / 1_000);
  const parts = [...keys].flatMap((key) => {
    const frequencies = frequenciesOf(key);
    return frequencies === undefined ? [] : [...sines(frequencies, pressMs, pressRate), ...pause];
  });
  return { samples: Int16Array.from(parts), sampleRate: pressRate };
};
