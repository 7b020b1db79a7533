import { describe, expect, it } from '@jest/globals';
import { Pace, type PaceRules, type Verdict } from './pace.js';

const rules: PaceRules = { timeoutsBefore: 3, patientMs: 60_000, patientTries: 3, patientForMs: 180_000 };

/** Events 0 to count - 1, of which `slow` take longer than any statement may. */
const follow = (count: number, slow: readonly number[], whole = 100) => {
  const pace = new Pace(whole, rules);
  const handled: number[] = [];
  const setAside: number[] = [];
  const sizes: number[] = [];
  let [position, now, steps] = [0, 0, 0];
  while (position < count) {
    steps += 1;
    if (steps > 1_000) throw new Error('the subscriber makes no progress');
    const events = Math.min(pace.size, count - position);
    const [first, last] = [BigInt(position), BigInt(position + events - 1)];
    sizes.push(events);
    const tried = Array.from({ length: events }, (_, at) => position + at);
    now += pace.limitMsAt(last) ?? 5_000;
    const verdict: Verdict | undefined = tried.some((event) => slow.includes(event))
      ? pace.timedOut({ first, last, events }, now)
      : undefined;
    if (verdict === 'again' || verdict === 'smaller') continue;
    (verdict === undefined ? handled : setAside).push(...tried);
    position += events;
    pace.worked(last);
  }
  return { handled, setAside, sizes, pace };
};

describe('the pace of a subscriber', () => {
  it('sets exactly the slow events aside and handles every other one', () => {
    const slow = [0, 41, 42, 250];
    const { handled, setAside } = follow(300, slow);
    expect(setAside).toEqual(slow);
    expect(handled).toEqual(Array.from({ length: 300 }, (_, at) => at).filter((at) => !slow.includes(at)));
  });

  it('repeats the whole batch three times before it makes the batch smaller', () => {
    expect(follow(100, [99]).sizes.slice(0, 5)).toEqual([100, 100, 100, 50, 50]);
  });

  it('takes whole batches again once the slow event is behind it', () => {
    const { sizes, pace } = follow(400, [10]);
    expect(pace.size).toBe(100);
    expect(sizes.slice(-3)).toEqual([100, 100, 100]);
  });

  it('gives an event that is alone a minute for each statement, and three minutes in all', () => {
    const pace = new Pace(1, rules);
    const at = { first: 7n, last: 7n, events: 1 };
    const verdicts = [0, 5, 10, 70, 130, 189, 190].map((seconds) => pace.timedOut(at, seconds * 1_000));
    expect(verdicts).toEqual(['again', 'again', 'smaller', 'again', 'again', 'again', 'hopeless']);
    expect(pace.limitMsAt(7n)).toBe(60_000);
    expect(pace.limitMsAt(8n)).toBeUndefined();
  });

  it('keeps the batch whole when timeouts pass by themselves', () => {
    const pace = new Pace(100, rules);
    const at = { first: 1n, last: 100n, events: 100 };
    expect([pace.timedOut(at, 0), pace.timedOut(at, 5_000)]).toEqual(['again', 'again']);
    pace.worked(100n);
    expect(pace.timedOut({ first: 101n, last: 200n, events: 100 }, 10_000)).toBe('again');
    expect(pace.size).toBe(100);
  });
});
