// The queue, on the clock of the test.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Refusal } from '../wire/refusal.js';
import type { Session, SessionWish } from '../wire/shapes.js';
import { openSession } from './opening.js';

const session: Session = {
  ...{ sessionId: 's1', mode: 'text', endToken: 'e1', serverUrl: null, token: null },
  ...{ messagesUrl: '/messages', firstMessage: null },
  ...{ maxDurationSeconds: 60, expiresAt: '2026-01-01T00:00:00.000Z' },
};
const place = (position: number): Refusal =>
  new Refusal('CONCURRENCY_LIMIT', 'full', {
    retryAfterSeconds: 4,
    queue: { ticket: 'ticket', position, text: null },
  });

/** Answers one after the other; errors are thrown. */
const openingOf = (answers: readonly (Session | Error)[]) => {
  const wishes: SessionWish[] = [];
  const told: (number | 'admitted')[] = [];
  const stop = new AbortController();
  const opened = openSession({
    platform: {
      open: async (wish) => {
        const answer = answers[wishes.length];
        wishes.push(wish);
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often');
        return answer;
      },
    },
    wish: () => ({ mode: 'text', visitorToken: `token-${wishes.length + 1}` }),
    signal: stop.signal,
    queued: ({ position }) => told.push(position),
    admitted: () => told.push('admitted'),
  });
  return { opened, wishes, told, stop };
};

describe('a visitor who waits', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('shows the ticket at the time that the platform names, until there is a place', async () => {
    const { opened, wishes, told } = openingOf([place(2), place(1), session]);
    await jest.advanceTimersByTimeAsync(3_900);
    expect(wishes).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(100);
    expect(wishes[1]).toEqual({ mode: 'text', visitorToken: 'token-2', queueTicket: 'ticket' });
    await jest.advanceTimersByTimeAsync(4_000);
    await expect(opened).resolves.toBe(session);
    expect(told).toEqual([2, 1, 'admitted']);
  });

  it.each(['NETWORK', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED'])(
    'keeps the place when one request ends with %s',
    async (code) => {
      const { opened, told } = openingOf([place(1), new Refusal(code, 'for a moment'), session]);
      await jest.advanceTimersByTimeAsync(10_000);
      await expect(opened).resolves.toBe(session);
      expect(told).toEqual([1, 'admitted']);
    },
  );

  it('begins at the end of the queue when the place is lost', async () => {
    const lost = new Refusal('QUEUE_PLACE_LOST', 'lost');
    const { opened, wishes, told } = openingOf([place(1), lost, place(3), session]);
    await jest.advanceTimersByTimeAsync(30_000);
    await expect(opened).resolves.toBe(session);
    expect(wishes.map(({ queueTicket }) => queueTicket)).toEqual([undefined, 'ticket', undefined, 'ticket']);
    expect(told).toEqual([1, 3, 'admitted']);
  });

  it('asks no more after leaving', async () => {
    const { opened, wishes, stop } = openingOf([place(5), session]);
    const failed = expect(opened).rejects.toThrow();
    await jest.advanceTimersByTimeAsync(1_000);
    stop.abort();
    await failed;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(wishes).toHaveLength(1);
  });

  it('is told at once when there is no queue', async () => {
    const { opened, wishes } = openingOf([new Refusal('CONCURRENCY_LIMIT', 'full')]);
    await expect(opened).rejects.toMatchObject({ code: 'CONCURRENCY_LIMIT' });
    expect(wishes).toHaveLength(1);
  });
});
