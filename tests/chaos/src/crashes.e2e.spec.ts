// The short version of `npm run chaos -- dialing`: dialers that die one after the other, and one that falls asleep.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Cell } from './cell-shapes.js';
import { runCells } from './cells.js';
import { type ChaosEngines, startChaosEngines } from './engines.js';
import { neverSeen } from './experiment.js';
import { branches } from './tally.js';
import { turnsOf } from './turns.js';
import { runZombieDialers } from './zombies.js';

/** Repeatable; the long version takes any. */
const seed = '2026-11-21';
/** An attempt that a dialer with a slow clock leaves behind is soon past its deadline. */
const slowClockMs = -45_000;

const cell: Cell = {
  lives: [
    { crashAt: 'dial.beforeRequest', clockOffsetMs: slowClockMs },
    { crashAt: 'dial.duringRequest', clockOffsetMs: slowClockMs },
    { crashAt: 'recover.beforeRecord' },
    {},
  ],
  mode: { name: 'reset-after', target: 'sip', mode: 'reset-after', share: 0.3 },
  recipients: 16,
  isCampaign: false,
  // A call that is cancelled while in doubt is hung up until its deadline, which is a minute away.
  cancelShare: 0,
  seed,
};

let engines: ChaosEngines;
beforeAll(async () => {
  engines = await startChaosEngines();
});
afterAll(() => engines?.stop());

/** Both have a world of their own. They are busy in turns, and wait for deadlines together. */
const turns = turnsOf(1);

it.concurrent('dialers that die let no phone ring twice for one attempt, and leave no attempt without an outcome', async () => {
  const { violations, missed, tally } = await runCells(engines, turns, {
    name: 'short',
    cells: [cell],
    // An attempt in doubt may need its whole deadline, which is more than a minute away.
    settleMs: 150_000,
    // Two more dialers have to die before the one that lives, on a machine that may be busy with other tests.
    outcomeGraceMs: 60_000,
  });
  expect({ seed, violations, missed }).toEqual({ seed, violations: [], missed: [] });
  const taken = branches.filter((branch) => tally.branches[branch] > 0);
  expect(taken).toEqual(expect.arrayContaining(['in doubt', 'adopted', 'unknown']));
}, 300_000);

it.concurrent('a dialer that sleeps between recording an attempt and dialling it wakes up to a cancelled call, and no phone rings', async () => {
  const outcome = await runZombieDialers(
    { engines, seed, atOnce: 1, turns },
    {
      zombies: 1,
      places: [{ stopAt: 'dial.beforeRequest', callers: 'people' }],
      waitForHangUps: false,
    },
  );
  expect({ seed, violations: outcome.violations, unseen: neverSeen(outcome) }).toEqual({
    seed,
    violations: [],
    unseen: [],
  });
}, 240_000);
