import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
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
});
