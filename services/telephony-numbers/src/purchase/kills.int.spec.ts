// The service dies in the middle of purchases, at every point there is. In a short run each point has one of the
// providers.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { createOutboundTrunks } from '@parlance/media-rooms';
import { Env } from '../env.js';
import { atRest, buySome, dieAt, everythingAddsUp, isInFull, numbersPerPoint } from '../testing/kills.js';
import { NumbersWorld, providerNames } from '../testing/numbers-world.js';
import { expectOneOfEach, sipTarget } from '../testing/provider-sides.js';
import { startServiceProcess } from '../testing/service-process.js';
import { crashPointNames } from './crash-points.js';

const points = crashPointNames.filter((name) => name.startsWith('buy.'));
const who = ownerOf();
let world: NumbersWorld;
beforeAll(async () => {
  world = await NumbersWorld.start();
});
afterAll(() => world?.stop());

/**
 * The crash points of the trunk of the first account, then of the second one. The first is complete when its trunk at
 * the media server is found.
 */
const deathsOfTrunks = [
  'trunk.afterTermination',
  'trunk.afterCredential',
  'trunk.afterPut',
  'trunk.afterCredential',
  'trunk.afterPut',
] as const;

it('deaths while trunks are made leave one trunk for each account, with credentials that the provider takes', async () => {
  for (const point of deathsOfTrunks) {
    const service = startServiceProcess({ ...world.variables, CRASH_AT: point });
    expect(await service.ended).toBe('SIGKILL');
  }
  const survivor = await world.startService();
  const trunks = createOutboundTrunks(Env.parse(world.variables));
  try {
    await eventually(async () => {
      const all = await trunks.list('main');
      expect(all.map(({ provider }) => provider).sort()).toEqual([...providerNames].sort());
      for (const { provider, username, credential, isIntact } of all) {
        const { credentials } = await world.account(provider).openTermination(sipTarget);
        expect({ isIntact, credentials }).toEqual({
          isIntact: true,
          credentials: [{ username, version: credential }],
        });
      }
      const { rows } = await world.db.query(
        'select termination_id from outbound_trunks where trouble is null',
      );
      expect(rows).toEqual([{ termination_id: expect.any(String) }, { termination_id: expect.any(String) }]);
    });
    await expectOneOfEach(world);
  } finally {
    await survivor.stop();
  }
}, 120_000);

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
      // Numbers that the provider was never asked for were not bought; the others work.
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
