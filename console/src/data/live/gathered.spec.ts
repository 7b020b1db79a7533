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

  it('come once, together, a while after the first', () => {
    const flushed: (readonly string[])[] = [];
    const gathered = new Gathered(400, (names) => flushed.push(names));
    for (let count = 0; count < 100; count += 1) gathered.note(['calls.', 'dashboard.']);
    jest.advanceTimersByTime(399);
    expect(flushed).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(flushed).toEqual([['calls.', 'dashboard.']]);
    gathered.note(['agents.']);
    jest.advanceTimersByTime(400);
    expect(flushed).toEqual([['calls.', 'dashboard.'], ['agents.']]);
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
