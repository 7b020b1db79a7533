// Histories of calls that are wanted, claimed, dialled, answered, cancelled and asked for again. Dialers die or sleep
// at any of their steps, a follower lags, and days pass.
import { describe, expect, it } from '@jest/globals';
import { stormSize } from '@parlance/fixtures/storm-size';
import fc from 'fast-check';
import { MemoryLedger } from '../testing/memory-ledger.js';
import { historyStep, type Step } from '../testing/spend-steps.js';
import { SpendWorld } from '../testing/spend-world.js';

/** The full storm: `PARLANCE_TEST_HISTORIES=10000`. */
const histories = stormSize('PARLANCE_TEST_HISTORIES', 150);

/** Found by chance: a dialer that sleeps past its attempt's deadline must not mark money of an attempt that was given up. */
const lateDialer: readonly Step[] = [
  { what: 'claim', which: 0, dies: 0 },
  { what: 'start', which: 35, dies: 1 },
  { what: 'tick', which: 3, dies: 0 },
  { what: 'giveUp', which: 25, dies: 0 },
  { what: 'wake', which: 5, dies: 0 },
];

describe('the envelope', () => {
  it('is never exceeded, its totals are the sums of its rows, and no reservation outlives its call', async () => {
    let granted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(historyStep, { maxLength: 60, size: 'max' }), async (history) => {
        const ledger = new MemoryLedger();
        const world = new SpendWorld(ledger);
        for (const what of history) {
          await world.take(what);
          const faults = await world.faults();
          // Tens of thousands of steps: an assertion costs more than the look at the books.
          if (faults.length > 0) expect(faults).toEqual([]);
        }
        granted += (await ledger.rows()).length;
        await world.finish();
        expect([...(await world.faults()), ...(await world.leftovers())]).toEqual([]);
      }),
      { numRuns: histories, examples: [[[...lateDialer]]] },
    );
    // Otherwise nothing was put to the test.
    expect(granted).toBeGreaterThan(histories);
  }, 600_000);
});
