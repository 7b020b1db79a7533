import { describe, expect, it } from '@jest/globals';
import { Milestones } from './milestones.js';

describe('milestones', () => {
  it('lets go whoever waits for a position that is reached or passed', async () => {
    const milestones = new Milestones();
    const waiting = Promise.all([milestones.reached(5n, 1_000), milestones.reached(7n, 1_000)]);
    milestones.reach(7n);
    await waiting;
    await milestones.reached(6n, 0);
  });

  it('tells after the time limit that a position was not reached', async () => {
    await expect(new Milestones().reached(1n, 1)).rejects.toThrow('position 1 was not reached in 1 ms');
  });
});
