// Organizations come and go, change their zones, invite people who make more of them, and call: the limits of the installation
// hold for all of them together, and those of each hold by UTC.
import { describe, expect, it } from '@jest/globals';
import { stormSize } from '@parlance/fixtures/storm-size';
import fc from 'fast-check';
import { type InstallationStep, InstallationWorld, installationStep } from '../testing/installation-world.js';
import { shareOut } from './installation-shares.js';

/** The full storm: `PARLANCE_TEST_HISTORIES=10000`. */
const histories = stormSize('PARLANCE_TEST_HISTORIES', 1_000);

describe('the limits of the installation', () => {
  it('are never exceeded, whatever organizations people make and delete, and whichever clocks they set', () => {
    const granted = { calls: 0, refusedByAll: 0, moves: 0 };
    fc.assert(
      fc.property(
        fc.array(installationStep, { maxLength: 80, size: 'max' }),
        (steps: readonly InstallationStep[]) => {
          const world = new InstallationWorld();
          for (const step of steps) {
            world.take(step);
            const faults = world.faults();
            if (faults.length > 0) expect(faults).toEqual([]);
          }
          granted.calls += world.granted;
          granted.refusedByAll += world.refusedByInstallation;
          granted.moves += world.moves;
        },
      ),
      { numRuns: histories },
    );
    // Otherwise nothing was put to the test.
    expect(granted.calls).toBeGreaterThan(histories);
    expect(granted.refusedByAll).toBeGreaterThan(0);
    expect(granted.moves).toBeGreaterThan(0);
  }, 120_000);
});

describe('shareOut', () => {
  it('shares out the whole limit, leaves every stripe what it uses, and gives the favoured stripe what it wants if there is as much', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.array(fc.nat(100_000), { minLength: 1, maxLength: 16 }),
        fc.nat(15),
        fc.nat(100_000),
        (limit, used, stripe, wanted) => {
          const favoured = stripe % used.length;
          const shares = shareOut(limit, used, { favoured, wanted });
          const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
          expect(sum(shares)).toBe(Math.max(limit, sum(used)));
          expect(shares.every((share, index) => share >= (used[index] ?? 0))).toBe(true);
          const room = (shares[favoured] ?? 0) - (used[favoured] ?? 0);
          expect(room).toBeGreaterThanOrEqual(Math.min(wanted, Math.max(0, limit - sum(used))));
        },
      ),
    );
  });
});
