import { describe, expect, it } from '@jest/globals';
import { clipped, overTelephone, seeded, waveOf, withNoise } from './audio.js';

const tone = Int16Array.from({ length: 8_000 }, (_, index) => 8_000 * Math.sin(index / 4));
const power = (samples: Int16Array): number =>
  samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;

describe('audio of callers', () => {
  it('has noise of the wanted strength, the same for the same seed', () => {
    const noisy = withNoise(tone, 10, seeded(7));
    const noise = noisy.map((sample, index) => sample - (tone[index] ?? 0));
    expect(10 * Math.log10(power(tone) / power(noise))).toBeCloseTo(10, 1);
    expect(withNoise(tone, 10, seeded(7))).toEqual(noisy);
    expect(withNoise(tone, 10, seeded(8))).not.toEqual(noisy);
  });

  it('keeps the shape of a voice over a telephone, in steps', () => {
    const heard = overTelephone(tone);
    const error = heard.map((sample, index) => sample - (tone[index] ?? 0));
    expect(10 * Math.log10(power(tone) / power(error))).toBeGreaterThan(30);
    expect(heard).not.toEqual(tone);
  });

  it('is cut off where it is clipped', () => {
    expect(Math.max(...clipped(tone))).toBe(32_767);
  });

  it('is written as a WAVE file of any number of channels', () => {
    const file = Buffer.from(waveOf(Int16Array.of(1, -2), 48_000, 2));
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(24)).toBe(48_000);
    expect([0, 1, 2, 3].map((index) => file.readInt16LE(44 + index * 2))).toEqual([1, 1, -2, -2]);
  });
});
