// A hundred events in a moment cost one question for each thing that they touch, and events without an end cost few.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Gathered } from './gathered.js';

const minuteMs = 60_000;

describe('notes that are gathered', () => {
  let flushed: (readonly string[])[] = [];
  let gathered = new Gathered<string>(() => undefined);
  const note = (name: string): void => gathered.note(name, name);
  beforeEach(() => {
    jest.useFakeTimers();
    flushed = [];
    gathered = new Gathered<string>((names) => flushed.push(names));
  });
  afterEach(() => {
    gathered.stop();
    jest.useRealTimers();
  });

  it('come together, soon after the first in a quiet time, and then once in an interval', () => {
    for (let count = 0; count < 100; count += 1) {
      note('calls.');
      note('dashboard.');
    }
    expect(flushed).toEqual([]);
    jest.advanceTimersByTime(50);
    expect(flushed).toEqual([['calls.', 'dashboard.']]);
    for (let count = 0; count < 10; count += 1) {
      note('agents.');
      jest.advanceTimersByTime(30);
    }
    expect(flushed).toHaveLength(1);
    jest.advanceTimersByTime(100);
    expect(flushed).toEqual([['calls.', 'dashboard.'], ['agents.']]);
  });

  it('come in a second round some seconds later, and then no more', () => {
    note('calls.');
    jest.advanceTimersByTime(1_900);
    expect(flushed).toEqual([['calls.']]);
    jest.advanceTimersByTime(200);
    expect(flushed).toEqual([['calls.'], ['calls.']]);
    jest.advanceTimersByTime(minuteMs);
    expect(flushed).toHaveLength(2);
  });

  it('come in few rounds a minute while events do not end, and at once again after a quiet time', () => {
    const everyMs = 50; // 20 events a second
    const feed = (ms: number): void => {
      for (let at = 0; at < ms; at += everyMs) {
        note('calls.');
        jest.advanceTimersByTime(everyMs);
      }
    };
    feed(minuteMs);
    expect(flushed.length).toBeLessThanOrEqual(46);
    const first = flushed.length;
    feed(minuteMs);
    expect(flushed.length - first).toBeLessThanOrEqual(16);
    jest.advanceTimersByTime(minuteMs);
    const before = flushed.length;
    note('calls.');
    jest.advanceTimersByTime(50);
    expect(flushed).toHaveLength(before + 1);
  });

  it('come at once, each of thirty that come one after the other', () => {
    jest.advanceTimersByTime(minuteMs);
    for (let count = 0; count < 30; count += 1) {
      note(`change ${count}`);
      jest.advanceTimersByTime(50);
      expect(flushed.at(-1)).toContain(`change ${count}`);
      jest.advanceTimersByTime(1_000);
    }
  });

  it('all come in the end, also those of an event that came amid many others', () => {
    note('agents.');
    for (let at = 0; at < 10_000; at += 50) {
      note('calls.');
      jest.advanceTimersByTime(50);
    }
    expect(flushed.filter((names) => names.includes('agents.'))).toHaveLength(2);
    note('tools.');
    jest.advanceTimersByTime(15_000);
    expect(flushed.filter((names) => names.includes('tools.'))).toHaveLength(2);
  });

  it('come never after the end', () => {
    note('calls.');
    gathered.stop();
    jest.advanceTimersByTime(minuteMs);
    expect(flushed).toEqual([]);
  });
});
