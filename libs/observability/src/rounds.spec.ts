import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { Activity } from './activity.js';
import { startRounds } from './rounds.js';

const logged = () => {
  const lines: unknown[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  return { lines, logger };
};

/** A promise and the function that fulfils it. */
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe('rounds', () => {
  it('go on after a round that failed, which is logged', async () => {
    const { lines, logger } = logged();
    const second = gate();
    let rounds = 0;
    const part = startRounds({
      name: 'sweep',
      everyMs: 1,
      logger,
      round: async () => {
        rounds += 1;
        if (rounds === 1) throw new Error('the database is away');
        second.open();
      },
    });
    await second.opened;
    await part.stop();
    expect(lines).toMatchObject([{ part: 'sweep', err: { message: 'the database is away' } }]);
  });

  it('stopping waits for the round that runs, tells it so, and none comes after it', async () => {
    const { logger } = logged();
    const [begun, end] = [gate(), gate()];
    const told: boolean[] = [];
    let rounds = 0;
    const part = startRounds({
      name: 'sweep',
      everyMs: 0,
      logger,
      round: async (stopping) => {
        rounds += 1;
        begun.open();
        await end.opened;
        told.push(stopping.aborted);
      },
    });
    await begun.opened;
    const stopped = part.stop().then(() => [...told]);
    end.open();
    expect(await stopped).toEqual([true]);
    await part.stop();
    expect(rounds).toBe(1);
  });

  it('one that is stopped before its first round does nothing', async () => {
    const { logger } = logged();
    let rounds = 0;
    const part = startRounds({
      name: 'sweep',
      everyMs: 0,
      firstAfterMs: 3_600_000,
      logger,
      round: async () => {
        rounds += 1;
      },
    });
    await part.stop();
    expect(rounds).toBe(0);
  });

  it('show as trouble from a round that failed until one that works, which does not wait for its usual time', async () => {
    const { logger } = logged();
    const [begun, end] = [gate(), gate()];
    let rounds = 0;
    const part = startRounds({
      name: 'sweep',
      everyMs: 3_600_000,
      againAfterMs: 1,
      logger,
      round: async () => {
        rounds += 1;
        if (rounds === 1) throw new Error('the database is away');
        begun.open();
        await end.opened;
      },
    });
    await begun.opened;
    expect(part.trouble?.()).toBe('the last round failed');
    end.open();
    await part.stop();
    expect(part.trouble?.()).toBeUndefined();
  });

  describe('of a quiet process', () => {
    const paced = (quietEveryMs?: number) => {
      const { lines, logger } = logged();
      const activity = new Activity();
      let rounds = 0;
      const part = startRounds({
        ...{ name: 'sweep', everyMs: 1_000, activity, logger },
        ...(quietEveryMs === undefined ? {} : { quietEveryMs }),
        round: async () => {
          rounds += 1;
        },
      });
      const roundsWithin = async (ms: number): Promise<number> => {
        const before = rounds;
        await jest.advanceTimersByTimeAsync(ms);
        return rounds - before;
      };
      return { activity, lines, part, roundsWithin };
    };
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('keep their pace for a minute after the last write, and then begin every 15 seconds', async () => {
      const { part, roundsWithin } = paced();
      expect(await roundsWithin(59_000)).toBeGreaterThanOrEqual(59);
      await roundsWithin(20_000);
      expect(await roundsWithin(150_000)).toBe(10);
      await part.stop();
    });

    it('begin at once when something is written, at their usual pace', async () => {
      const { activity, part, roundsWithin } = paced();
      await roundsWithin(90_000);
      activity.note();
      expect(await roundsWithin(0)).toBe(1);
      expect(await roundsWithin(10_000)).toBe(10);
      await part.stop();
    });

    it('stop at once', async () => {
      const { part, roundsWithin } = paced(3_600_000);
      await roundsWithin(90_000);
      await part.stop();
      expect(await roundsWithin(3_600_000)).toBe(0);
    });
  });
});
