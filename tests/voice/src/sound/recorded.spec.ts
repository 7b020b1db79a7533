import { describe, expect, it } from '@jest/globals';
import { trimmed } from './recorded.js';

const rate = 8_000;
const of = (ms: number, peak: number): number[] =>
  Array.from({ length: (ms * rate) / 1_000 }, (_, index) => Math.round(peak * Math.sin(index / 3)));

describe('trimmed', () => {
  it('ends with the voice, without the breath and the click that a synthetic voice adds', () => {
    const recording = Int16Array.from([
      ...of(100, 40),
      ...of(600, 12_000),
      ...of(300, 150),
      ...of(20, 3_000),
      ...of(50, 0),
    ]);
    expect(trimmed(recording, rate)).toEqual(Int16Array.from(recording.subarray(800, 5_600)));
  });

  it('leaves nothing of a recording without a voice', () => {
    expect(trimmed(Int16Array.from(of(500, 0)), rate)).toHaveLength(0);
  });
});
