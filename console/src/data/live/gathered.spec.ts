// A hundred events in a moment cost one question for each thing that they touch.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Gathered } from './gathered.js';

describe('names that are gathered', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('come together, soon after the first in a quiet time, and then once in each interval', () => {
    const flushed: (readonly string[])[] = [];
    const gathered = new Gathered(400, (names) => flushed.push(names));
    for (let count = 0; count < 100; count += 1) gathered.note(['calls.', 'dashboard.']);
    expect(flushed).toEqual([]);
    jest.advanceTimersByTime(50);
    expect(flushed).toEqual([['calls.', 'dashboard.']]);
    for (let count = 0; count < 10; count += 1) {
      gathered.note(['agents.']);
      jest.advanceTimersByTime(30);
    }
    expect(flushed).toHaveLength(1);
    jest.advanceTimersByTime(100);
    expect(flushed).toEqual([['calls.', 'dashboard.'], ['agents.']]);
    jest.advanceTimersByTime(1_000);
    gathered.note(['tools.']);
    jest.advanceTimersByTime(50);
    expect(flushed.at(-1)).toEqual(['tools.']);
  });

  it('come never after the end', () => {
    const flushed: (readonly string[])[] = [];
    const gathered = new Gathered(400, (names) => flushed.push(names));
    gathered.note(['calls.']);
    gathered.stop();
    jest.advanceTimersByTime(1_000);
    expect(flushed).toEqual([]);
  });
});
