import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PlaybackClock } from './playback-clock.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the clock of a playback', () => {
  it('stands still while the playback is paused, however often', () => {
    const clock = new PlaybackClock();
    const played = clock.since(Date.now());
    jest.advanceTimersByTime(1_000);
    for (let pause = 0; pause < 3; pause += 1) {
      clock.pause();
      clock.pause();
      jest.advanceTimersByTime(700);
      expect(played()).toBe(1_000 + pause * 100);
      clock.resume();
      clock.resume();
      jest.advanceTimersByTime(100);
    }
    expect(played()).toBe(1_300);
  });

  it('does not count pauses before the start', () => {
    const clock = new PlaybackClock();
    clock.pause();
    jest.advanceTimersByTime(500);
    clock.resume();
    const played = clock.since(Date.now());
    jest.advanceTimersByTime(200);
    expect(played()).toBe(200);
  });
});
