// The service dies while numbers are given back, at every point there is.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { ownerOf } from '@parlance/fixtures/service';
import { crashPointNames } from '../purchase/crash-points.js';
import { atRest, buySome, dieAt, everythingAddsUp, isInFull } from '../testing/kills.js';
import { NumbersWorld, providerNames } from '../testing/numbers-world.js';

const points = crashPointNames.filter((name) => name.startsWith('release.'));
let world: NumbersWorld;
beforeAll(async () => {
  world = await NumbersWorld.start();
});
afterAll(() => world?.stop());

it('nothing that was given back is paid for afterwards, whenever the service died', async () => {
  const who = ownerOf();
  const first = await world.startService();
  for (const provider of providerNames) await buySome(world, provider, who, points.length + 1);
  await atRest(world);
  const mine = await world.list(who);
  await first.stop();
  const giveBack = async (ids: readonly string[]): Promise<void> => {
    await Promise.all(
      ids.map((id) =>
        world.release(id, who).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
        }),
      ),
    );
  };
  const given: string[] = [];
  for (const [index, point] of points.entries())
    for (const provider of providerNames.filter((_, which) => isInFull || which === index % 2)) {
      if (point === 'release.duringRequest')
        world.faults[provider].set({ target: 'release', mode: 'slow', ms: 300, times: 2 });
      const { id } = mine.filter((number) => number.provider === provider)[index] ?? { id: '' };
      given.push(id);
      await dieAt(world, point, () => giveBack([id]));
    }
  const survivor = await world.startService();
  try {
    // A process may have died of the work that another one left, before it heard of this release: people ask again.
    await giveBack(given);
    await atRest(world);
    expect(await everythingAddsUp(world)).toEqual({ active: mine.length - given.length, failed: 0 });
    const entries = await world.ledger();
    expect(entries.filter(({ kind }) => kind === 'release')).toHaveLength(given.length);
  } finally {
    await survivor.stop();
  }
}, 600_000);
