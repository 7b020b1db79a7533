// The question for the sign-in comes also where its file did not come at first.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { untilLoaded } from './until-loaded.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('loads a file again until it comes', async () => {
  const load = jest.fn<() => Promise<string>>();
  load.mockRejectedValueOnce(new TypeError('failed')).mockRejectedValueOnce(new TypeError('failed'));
  load.mockResolvedValue('form');
  const failed = jest.fn();
  const loading = untilLoaded(load, 1_000, new AbortController().signal, failed);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await loading).toBe('form');
  expect([load.mock.calls.length, failed.mock.calls.length]).toEqual([3, 2]);
});

it('loads nothing any more once nobody waits', async () => {
  const load = jest.fn(() => Promise.reject(new TypeError('failed')));
  const ending = new AbortController();
  const loading = untilLoaded(load, 0, ending.signal, () => ending.abort());
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await loading).toBeUndefined();
  expect(load).toHaveBeenCalledTimes(1);
});
