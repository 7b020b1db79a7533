import { describe, expect, it } from '@jest/globals';
import { SeenOnce } from './seen-once.js';
import { clockAt } from './testing/caller-envs.js';

describe('a key', () => {
  it('is remembered for at least as long as was asked, whenever it came', () => {
    const clock = clockAt();
    const seen = new SeenOnce(40_000, clock);
    for (let second = 0; second < 200; second += 13) {
      expect(seen.add(`key of second ${second}`)).toBe(true);
      const since = [0, 13, 26, 39].map((ago) => second - ago).filter((then) => then >= 0);
      for (const then of since) expect(seen.add(`key of second ${then}`)).toBe(false);
      clock.pass(13);
    }
  });

  it('is forgotten after a while', () => {
    const clock = clockAt();
    const seen = new SeenOnce(40_000, clock);
    expect(seen.add('key')).toBe(true);
    clock.pass(80);
    expect(seen.add('key')).toBe(true);
  });
});
