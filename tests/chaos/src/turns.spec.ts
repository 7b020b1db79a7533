import { describe, expect, it } from '@jest/globals';
import { diceOf } from './dice.js';
import { many } from './many.js';
import { turnsOf } from './turns.js';

describe('the dice', () => {
  it('throw the same for the same seed, and otherwise for another', () => {
    const throwsOf = (seed: string) => {
      const dice = diceOf(seed);
      return Array.from({ length: 20 }, () => dice.below(1_000));
    };
    expect(throwsOf('a')).toEqual(throwsOf('a'));
    expect(throwsOf('a')).not.toEqual(throwsOf('b'));
    expect(new Set(throwsOf('a')).size).toBeGreaterThan(15);
  });
});

describe('turns', () => {
  it('let no more at it than may be, and everybody in the end', async () => {
    const turns = turnsOf(2);
    let busy = 0;
    let most = 0;
    const done = await many([1, 2, 3, 4, 5], 5, (item) =>
      turns.during(async () => {
        busy += 1;
        most = Math.max(most, busy);
        await new Promise((resolve) => setImmediate(resolve));
        busy -= 1;
        return item;
      }),
    );
    expect(done).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('go on when one of them fails', async () => {
    const turns = turnsOf(1);
    await expect(turns.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.during(async () => 'next')).toBe('next');
  });
});
