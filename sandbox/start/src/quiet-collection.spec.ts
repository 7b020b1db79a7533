import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { collectWhenQuiet } from './quiet-collection.js';

const lookMs = 20_000;
const quietMs = 500;
const busyMs = 9_000;

/** Milliseconds of processor time since the look before. */
let usedMs = 0;
let bytes = 0;
const collect = jest.fn(() => {
  bytes = 100;
});

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: usedMs * 1_000, system: 0 }));
  collect.mockClear();
  collectWhenQuiet({ bytes: () => bytes, collect });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const look = (ms: number, heap: number): void => {
  usedMs = ms;
  bytes = heap;
  jest.advanceTimersByTime(lookMs);
};

describe('the collection of a quiet process', () => {
  it('waits for the end of a busy time', () => {
    look(busyMs, 300);
    expect(collect).not.toHaveBeenCalled();
    look(quietMs, 300);
    expect(collect).toHaveBeenCalledTimes(1);
  });

  it('happens again only when the heap has grown by a quarter', () => {
    look(quietMs, 300);
    look(quietMs, 120);
    expect(collect).toHaveBeenCalledTimes(1);
    look(quietMs, 130);
    expect(collect).toHaveBeenCalledTimes(2);
  });
});
