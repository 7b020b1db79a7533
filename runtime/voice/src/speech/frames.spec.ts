import { describe, expect, it } from '@jest/globals';
import { Frames } from './frames.js';

const numbered = (from: number, count: number): Int16Array =>
  Int16Array.from({ length: count }, (_, index) => from + index);

describe('Frames', () => {
  it('loses and repeats no sample, however long the parts are', () => {
    const frames = new Frames(4);
    const parts = [numbered(0, 3), numbered(3, 0), numbered(3, 10), numbered(13, 1)];
    expect(parts.map((part) => frames.cut(part).map((frame) => [...frame]))).toEqual([
      [],
      [],
      [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9, 10, 11],
      ],
      [],
    ]);
    expect(frames.flush()).toEqual(Int16Array.from([12, 13, 0, 0]));
    expect(frames.flush()).toBeUndefined();
  });

  it('shift by the silence before the audio', () => {
    const frames = new Frames(4, 2);
    expect(frames.cut(numbered(1, 6)).map((frame) => [...frame])).toEqual([
      [0, 0, 1, 2],
      [3, 4, 5, 6],
    ]);
  });
});
