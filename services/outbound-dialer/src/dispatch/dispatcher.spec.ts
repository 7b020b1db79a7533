// Guarantees: a lease lasts its whole time, however long the database let it wait, and is renewed until the dial is answered. What was
// not started when the process drains is not started any more.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Activity, createLogger } from '@parlance/observability';
import type { Database, Statement, Tx } from '@parlance/postgres';
import { noCrashPoints } from '../attempt/crash-points.js';
import { claimMs } from '../attempt/dial-claims.js';
import { Dispatcher, type DispatcherOptions, type NextAttempt } from './dispatcher.js';
import { QueuedCalls } from './queued-calls.js';

const waitMs = 12_000;
const logger = createLogger({ service: 'test', level: 'silent' });

/** A database whose transactions wait long for their connection, on a clock that advances meanwhile. */
const busyDatabase = () => {
  const time = { ms: Date.parse('2026-03-02T12:00:00.000Z') };
  const leased: { readonly at: number; readonly until: number }[] = [];
  const renewed: number[] = [];
  const released: (readonly string[])[] = [];
  let due = [{ id: 'call', provider: null }];
  const tx: Tx = {
    query: async (statement: string | Statement, values: readonly unknown[] = []) => {
      // The slot of the call, which is now.
      if (typeof statement !== 'string')
        return { rows: [{ nextAt: time.ms, granted: 1 }] as never[], rowCount: 1 };
      leased.push({ at: time.ms, until: Date.parse(String(values[3])) });
      const rows = due;
      due = [];
      return { rows: rows as never[], rowCount: rows.length };
    },
  };
  const db = {
    activity: new Activity(),
    query: async (_statement: string, values: readonly unknown[]) => {
      released.push(values[1] as string[]);
      return { rows: [], rowCount: 1 };
    },
    listen: async () => async () => undefined,
    transaction: async (work: (tx: Tx) => Promise<unknown>) => {
      time.ms += waitMs;
      return work(tx);
    },
    atOnce: {
      query: async (_statement: string, values: readonly unknown[]) => {
        renewed.push(Date.parse(String(values[2])));
        return { rows: [], rowCount: 1 };
      },
    },
  } as unknown as Database;
  return { db, clock: { now: () => new Date(time.ms) }, time, leased, renewed, released };
};

const never = (): Promise<void> => new Promise(() => undefined);

describe('the dispatcher', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const dispatcherOn = (
    { db, clock }: Pick<ReturnType<typeof busyDatabase>, 'db' | 'clock'>,
    attempt: DispatcherOptions['attempt'] = never,
  ) => new Dispatcher({ db, clock, logger, holder: 'one', attempt, finishMs: 0 });

  const next = (change: Partial<NextAttempt> & Pick<NextAttempt, 'outboundCallId'>): NextAttempt => ({
    startAt: 0,
    paces: [],
    open: async () => ({}),
    ...change,
  });

  it('leases a queued call for the whole time, counted from the connection, and renews the lease without waiting', async () => {
    const { db, clock, time, leased, renewed } = busyDatabase();
    const dispatcher = dispatcherOn({ db, clock });
    const rates = { TWILIO: 1, TELNYX: 1 };
    const source = new QueuedCalls({
      ...{ db, clock, logger, dispatcher, rates, crash: noCrashPoints, holder: 'one', maxDials: 1 },
    });
    await source.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(leased).toEqual([{ at: time.ms, until: time.ms + claimMs }]);
    await jest.advanceTimersByTimeAsync(claimMs / 3);
    expect(renewed).toEqual([time.ms + claimMs]);
    await source.stop();
    await dispatcher.stop();
  });

  it('looks for queued calls every second, and every five while nothing happens', async () => {
    const { db, clock, leased } = busyDatabase();
    const dispatcher = dispatcherOn({ db, clock });
    const rates = { TWILIO: 1, TELNYX: 1 };
    const source = new QueuedCalls({
      ...{ db, clock, logger, dispatcher, rates, crash: noCrashPoints, holder: 'one', maxDials: 2 },
    });
    await source.start();
    const looksWithin = async (ms: number): Promise<number> => {
      const before = leased.length;
      await jest.advanceTimersByTimeAsync(ms);
      return leased.length - before;
    };
    expect(await looksWithin(20_000)).toBeGreaterThanOrEqual(20);
    await looksWithin(50_000);
    expect(await looksWithin(100_000)).toBe(20);
    db.activity.note();
    expect(await looksWithin(10_000)).toBe(10);
    await source.stop();
    await dispatcher.stop();
  });

  it('starts few attempts of a lane at once, and urgent ones besides', async () => {
    const started: string[] = [];
    const dispatcher = dispatcherOn(busyDatabase(), async (id) => {
      started.push(id);
      await never();
    });
    const campaigns = dispatcher.lane({ most: 100, mostAhead: 6 });
    const quick = dispatcher.lane({ most: 2, mostAhead: 2, isUrgent: true });
    campaigns.dispatch(['1', '2', '3', '4', '5'].map((outboundCallId) => next({ outboundCallId })));
    quick.dispatch([next({ outboundCallId: 'urgent' })]);
    await jest.advanceTimersByTimeAsync(0);
    expect(started.sort()).toEqual(['1', '2', '3', '4', 'urgent']);
    expect([campaigns.free, quick.free]).toEqual([1, 1]);
    await dispatcher.stop();
  });

  it('frees the place ahead of the dial when the request was sent, and the other when it is answered', async () => {
    let answer = (): void => undefined;
    const dispatcher = dispatcherOn(busyDatabase(), (_, { onDial }) => {
      onDial?.();
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    const onFree = jest.fn();
    const lane = dispatcher.lane({ most: 3, mostAhead: 1, onFree });
    lane.dispatch([next({ outboundCallId: '1' })]);
    expect(lane.free).toBe(0);
    await jest.advanceTimersByTimeAsync(0);
    expect([lane.free, onFree.mock.calls.length]).toEqual([1, 0]);
    answer();
    await jest.advanceTimersByTimeAsync(0);
    expect(onFree.mock.calls).toHaveLength(1);
    await dispatcher.stop();
  });

  it('lets a lane have as many attempts ahead as were sent in the last seconds, within its bounds', async () => {
    const dispatcher = dispatcherOn(busyDatabase(), async (_, { onDial }) => onDial?.());
    const lane = dispatcher.lane({ most: 100, mostAhead: 5, leastAhead: 2 });
    const send = async (...ids: readonly string[]): Promise<number> => {
      lane.dispatch(ids.map((outboundCallId) => next({ outboundCallId })));
      await jest.advanceTimersByTimeAsync(0);
      return lane.free;
    };
    expect(lane.free).toBe(2);
    expect([await send('1', '2'), await send('3', '4'), await send('5', '6')]).toEqual([2, 4, 5]);
    await jest.advanceTimersByTimeAsync(2_001);
    expect(lane.free).toBe(2);
    await dispatcher.stop();
  });

  it('starts nothing that waits for its time once the process drains, tells its source, and releases its lease', async () => {
    const { db, clock, time, released } = busyDatabase();
    const started: string[] = [];
    const dispatcher = dispatcherOn({ db, clock }, async (id) => void started.push(id));
    const open = jest.fn(async (isDraining: boolean) => (isDraining ? undefined : {}));
    dispatcher
      .lane({ most: 9, mostAhead: 9 })
      .dispatch([next({ outboundCallId: 'later', startAt: time.ms + 60_000, open })]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(open).not.toHaveBeenCalled();
    dispatcher.leave();
    await jest.advanceTimersByTimeAsync(0);
    await dispatcher.stop();
    expect(open.mock.calls).toEqual([[true]]);
    expect([started, released]).toEqual([[], [['later']]]);
  });

  it('keeps the pace of an account when slots went by while the process was held up', async () => {
    jest.useRealTimers();
    const started: number[] = [];
    let allStarted = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      allStarted = resolve;
    });
    const clock = { now: () => new Date() };
    const dispatcher = dispatcherOn({ ...busyDatabase(), clock }, async () => {
      started.push(clock.now().getTime());
      if (started.length === 3) allStarted();
    });
    const pace = { account: 'TWILIO', intervalMs: 20 };
    dispatcher
      .lane({ most: 9, mostAhead: 9 })
      .dispatch(['1', '2', '3'].map((outboundCallId) => next({ outboundCallId, paces: [pace] })));
    await all;
    expect((started[2] ?? 0) - (started[0] ?? 0)).toBeGreaterThanOrEqual(39);
    await dispatcher.stop();
  });
});
