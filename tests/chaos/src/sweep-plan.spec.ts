import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { crashPlans, providerModes, sweepWorlds, titleOf } from './sweep-plan.js';

/** As it is written, because the dialer does not hand its crash points to others. */
const source = readFileSync(
  new URL('../../../services/outbound-dialer/src/attempt/crash-points.ts', import.meta.url),
  'utf8',
);
const list = /crashPointNames = \[([^\]]+)\]/.exec(source)?.[1] ?? '';
const crashPointNames = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);

describe('the plan of the sweep', () => {
  it('lets a dialer die at every crash point that there is, and at no other', () => {
    expect(crashPointNames.length).toBeGreaterThan(10);
    const swept = crashPlans.filter(({ dialer }) => dialer === 'dies').map(({ point }) => point);
    expect([...new Set(swept)].sort()).toEqual([...crashPointNames].sort());
    for (const { point, after } of crashPlans)
      expect(crashPointNames).toEqual(
        expect.arrayContaining([point, ...(after === undefined ? [] : [after])]),
      );
  });

  it('has every way to fail for every crash point, each with a seed of its own', () => {
    const worlds = sweepWorlds('s', { recipients: 50 });
    const cells = worlds.flatMap((world) => world.cells);
    expect(worlds).toHaveLength(crashPlans.length);
    expect(cells).toHaveLength(crashPlans.length * providerModes.length);
    expect(new Set(cells.map(({ seed }) => seed)).size).toBe(cells.length);
    expect(new Set(crashPlans.map(titleOf)).size).toBe(crashPlans.length);
  });

  it('can be done in part', () => {
    const worlds = sweepWorlds('s', { recipients: 5, only: 'recover.afterRecord/429' });
    expect(worlds.flatMap((world) => world.cells)).toHaveLength(1);
  });
});
