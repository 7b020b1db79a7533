import { describe, expect, it } from '@jest/globals';
import { isAudible, Sounds } from './sounds.js';

const soundsAt = (...times: number[]): Sounds => {
  const sounds = new Sounds(20);
  for (const at of times) sounds.heard(at);
  return sounds;
};

describe('sounds', () => {
  it('tell a voice from the noise of a codec', () => {
    expect(isAudible(Int16Array.of(8, -16, 120))).toBe(false);
    expect(isAudible(Int16Array.of(8, -900, 120))).toBe(true);
  });

  it('begin at the first frame that another one follows', () => {
    expect(soundsAt(100, 500, 520, 540).firstAfter(0)).toBe(500);
    expect(soundsAt(100, 120, 500, 520).firstAfter(110)).toBe(500);
    expect(soundsAt(100).firstAfter(0)).toBeUndefined();
  });

  it('end at the last frame before a silence', () => {
    const sounds = soundsAt(100, 120, 300, 320, 900, 920);
    expect(sounds.quietFrom(110)).toBe(320);
    expect(sounds.quietFrom(600)).toBe(600);
    expect(sounds.quietFrom(890)).toBe(920);
  });

  it('add up the frames between two times', () => {
    expect(soundsAt(100, 120, 300, 320).audibleMs(100, 300)).toBe(40);
  });
});
