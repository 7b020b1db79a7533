// The service dies in the middle of purchases, at every point there is: of a short run each at one of the providers.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { atRest, buySome, dieAt, everythingAddsUp, isInFull, numbersPerPoint } from '../testing/kills.js';
import { callerOf, NumbersWorld, providerNames } from '../testing/numbers-world.js';
import { crashPointNames } from './crash-points.js';

const points = crashPointNames.filter((name) => name.startsWith('buy.'));
const who = callerOf();
let world: NumbersWorld;
beforeAll(async () => {
  world = await NumbersWorld.start();
});
afterAll(() => world?.stop());

describe.each(providerNames)('deaths while numbers are bought at %s', (provider) => {
  it(`leave no orphan, no ghost and no double purchase, ${numbersPerPoint} numbers a time`, async () => {
    for (const point of points.filter(
      (_, index) => isInFull || index % 2 === providerNames.indexOf(provider),
    )) {
      if (point === 'buy.duringRequest')
        world.faults[provider].set({ target: 'buy', mode: 'slow', ms: 300, times: numbersPerPoint });
      await dieAt(world, point, () => buySome(world, provider, who));
    }
    world.faults[provider].clear();
    const survivor = await world.startService();
    try {
      await atRest(world);
      const { active, failed } = await everythingAddsUp(world);
      // Those that were not heard of were not bought, the others work.
      expect(active).toBeGreaterThan(0);
      expect(failed).toBeGreaterThan(0);
      const listed = await world.list(who);
      expect(listed).toHaveLength(active + failed);
      for (const { status, phoneNumber } of listed) {
        const call = await world.callTo(phoneNumber);
        expect([phoneNumber, call]).toEqual([phoneNumber, status === 'active' ? 201 : 422]);
      }
    } finally {
      await survivor.stop();
    }
  }, 600_000);
});
