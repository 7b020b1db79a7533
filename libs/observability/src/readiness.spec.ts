import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Activity } from './activity.js';
import { systemClock } from './logging/clock.js';
import { createLogger } from './logging/logger.js';
import { Readiness } from './readiness.js';

const lines: string[] = [];
const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } });
let readiness: Readiness;

beforeEach(() => {
  jest.useFakeTimers();
  lines.length = 0;
  readiness = new Readiness(logger);
});
afterEach(() => {
  readiness.stop();
  jest.useRealTimers();
});

const pass = async (ms: number): Promise<void> => {
  await jest.advanceTimersByTimeAsync(ms);
};

describe('Readiness', () => {
  it('is not ready before every required check has passed once', async () => {
    readiness.add('readModel', { required: true, check: async () => undefined });
    expect(readiness.report()).toMatchObject({
      ready: false,
      checks: { readModel: { status: 'down', message: 'not checked yet' } },
    });
    readiness.start();
    await pass(0);
    expect(readiness.report()).toMatchObject({
      ready: true,
      checks: { readModel: { status: 'up', required: true, message: null } },
    });
    expect(readiness.report().checks.readModel?.latencyMs).toEqual(expect.any(Number));
  });

  it('has looked once at each check, whatever it found, but for those that wait', async () => {
    let found = (): void => undefined;
    const finding = new Promise<void>((resolve) => {
      found = resolve;
    });
    const looked: string[] = [];
    readiness.add('readModel', { required: true, check: () => finding });
    readiness.add('queue', { required: true, check: async () => Promise.reject(new Error('gone')) });
    readiness.add('mail', { required: false, check: async () => undefined, delayMs: 60_000 });
    readiness.start();
    void readiness.firstLook().then(() => looked.push('all'));
    await pass(0);
    expect(looked).toEqual([]);
    found();
    await pass(0);
    expect(looked).toEqual(['all']);
  });

  it('stays ready while a check that is not required fails, and tells neither host nor version nor error', async () => {
    readiness.add('queue', { required: true, check: async () => undefined });
    readiness.add('mediaServer', {
      required: false,
      check: async () => {
        throw new Error('connect ECONNREFUSED livekit.internal:7880 v1.9.3');
      },
    });
    readiness.start();
    await pass(0);
    const report = readiness.report();
    expect(report).toMatchObject({
      ready: true,
      checks: { mediaServer: { status: 'down', message: 'does not work', latencyMs: null } },
    });
    expect(JSON.stringify(report)).not.toMatch(/internal|7880|1\.9\.3|ECONN/);
  });

  it('notices when a dependency goes and when it is back, and logs each once', async () => {
    let works = true;
    const check = async (): Promise<void> => {
      if (!works) throw new Error('gone');
    };
    readiness.add('eventStore', { required: true, check });
    readiness.start();
    await pass(10_000);
    works = false;
    await pass(10_000);
    expect(readiness.report().ready).toBe(false);
    works = true;
    await pass(10_000);
    expect(readiness.report().ready).toBe(true);
    expect(lines.filter((line) => line.includes('dependency is down'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('dependency is up'))).toHaveLength(2);
  });

  it('gives up on a hanging check in time, and does not pile up checks behind it', async () => {
    let started = 0;
    let release: () => void = () => undefined;
    readiness.add('queue', {
      required: true,
      check: () => {
        started += 1;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    });
    readiness.start();
    await pass(1_500);
    expect(readiness.report()).toMatchObject({
      ready: false,
      checks: { queue: { status: 'down', message: 'took too long' } },
    });
    await pass(20_000);
    expect(started).toBe(1);
    release();
    await pass(4_000);
    expect(started).toBe(2);
  });

  it('checks a quiet process every ten seconds, and at once when something happens', async () => {
    const activity = new Activity();
    readiness = new Readiness(logger, systemClock, activity);
    let works = true;
    const check = jest.fn(async () => {
      if (!works) throw new Error('gone');
    });
    readiness.add('readModel', { required: true, check });
    readiness.start();
    await pass(80_000);
    check.mockClear();
    await pass(100_000);
    expect(check).toHaveBeenCalledTimes(10);
    works = false;
    activity.note();
    await pass(0);
    expect(readiness.report().ready).toBe(false);
    check.mockClear();
    await pass(10_000);
    expect(check).toHaveBeenCalledTimes(5);
  });

  it('never checks because somebody asked', async () => {
    const check = jest.fn(async () => undefined);
    readiness.add('queue', { required: true, check });
    readiness.start();
    await pass(0);
    for (let i = 0; i < 100; i += 1) readiness.report();
    expect(check).toHaveBeenCalledTimes(1);
    readiness.stop();
    await pass(60_000);
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('is not ready while draining', async () => {
    readiness.add('queue', { required: true, check: async () => undefined });
    readiness.start();
    await pass(0);
    readiness.draining = true;
    expect(readiness.report()).toMatchObject({
      ready: false,
      draining: true,
      checks: { queue: { status: 'up' } },
    });
  });

  it('counts a skipped check as no obstacle, takes what is added later, and reports lag and parked', async () => {
    readiness.start();
    readiness.add('telephony:TWILIO', { required: true, check: async () => 'skipped' });
    readiness.addLag('a', () => 20);
    readiness.addLag('b', () => 70);
    readiness.addParked('messages', async () => 2);
    readiness.addParked('events', () => 1);
    readiness.addParked('broken', async () => {
      throw new Error('no database');
    });
    await pass(0);
    expect(readiness.report()).toMatchObject({
      ready: true,
      projectionLagMs: 70,
      parked: 3,
      checks: { 'telephony:TWILIO': { status: 'skipped' } },
    });
  });

  it('tells which parts cannot work, by name and reason, until they can', () => {
    let reason: string | undefined = 'the last round failed';
    readiness.addPart({ name: 'sweeping of records', stop: async () => undefined, trouble: () => reason });
    readiness.addPart({ name: 'silent', stop: async () => undefined });
    expect(readiness.report()).toMatchObject({
      ready: true,
      troubles: [{ part: 'sweeping-of-records', reason }],
    });
    reason = undefined;
    expect(readiness.report().troubles).toEqual([]);
  });
});
