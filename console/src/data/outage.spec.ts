// The banner tells the truth: it comes with an outage, names the next try, and goes with the first answer.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { outage, watchedFetch } from './outage.js';

const fetching = jest.spyOn(globalThis, 'fetch');
const at = 1_000_000;

describe('requests that are watched', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: at });
    outage.set(undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('note a busy platform with the time of the next try, until an answer comes', async () => {
    fetching.mockResolvedValueOnce(new Response('', { status: 503, headers: { 'retry-after': '7' } }));
    await watchedFetch('/x');
    const seenAt = performance.now();
    expect(outage.get()).toEqual({ kind: 'busy', nextTryAt: seenAt + 7_000, seenAt });
    fetching.mockResolvedValueOnce(new Response('', { status: 500 }));
    await watchedFetch('/x');
    expect(outage.get()?.kind).toBe('busy');
    fetching.mockResolvedValueOnce(new Response('', { status: 404 }));
    await watchedFetch('/x');
    expect(outage.get()).toBeUndefined();
  });

  it('do not end an outage by the answer to a request that was sent before it', async () => {
    let answer = (_: Response): void => undefined;
    fetching.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const early = watchedFetch('/early');
    jest.advanceTimersByTime(1_000);
    fetching.mockResolvedValueOnce(new Response('', { status: 503 }));
    await watchedFetch('/x');
    answer(new Response('', { status: 200 }));
    await early;
    expect(outage.get()?.kind).toBe('busy');
  });

  it('end an outage also after the clock of the computer is set back', async () => {
    fetching.mockResolvedValueOnce(new Response('', { status: 503 }));
    await watchedFetch('/x');
    jest.setSystemTime(at - 600_000);
    fetching.mockResolvedValueOnce(new Response('', { status: 200 }));
    await watchedFetch('/x');
    expect(outage.get()).toBeUndefined();
  });

  it('note a platform that is not reached, and throw as before', async () => {
    fetching.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(watchedFetch('/x')).rejects.toThrow('Failed to fetch');
    expect(outage.get()?.kind).toBe('unreached');
  });

  it('say nothing about a request that the page itself has given up', async () => {
    fetching.mockRejectedValueOnce(new DOMException('aborted', 'AbortError'));
    await expect(watchedFetch('/x')).rejects.toThrow('aborted');
    expect(outage.get()).toBeUndefined();
  });
});
