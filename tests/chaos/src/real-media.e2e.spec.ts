// The short version of `npm run chaos -- dialing --real-media`. Dialers die while telephones ring on a wire, and
// clients cancel calls at the moment of the answer. Skipped where LiveKit's programs or SIPp are not installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findLiveKit } from '@parlance/engines';
import { findTelephones } from '@parlance/telephones';
import type { Cell } from './cell-shapes.js';
import { runCells } from './cells.js';
import { type ChaosEngines, startChaosEngines } from './engines.js';
import { neverSeen } from './experiment.js';
import { runCancelRaces } from './races.js';
import { turnsOf } from './turns.js';

const binaries = findLiveKit();
const isInstalled = binaries !== undefined && findTelephones() !== undefined;
if (!isInstalled)
  process.stderr.write(
    'livekit-server, livekit-sip, redis-server, sipp: not all installed, no dialer dies while a real phone rings\n',
  );

const seed = '2026-11-22';
/** An attempt that a dialer with a slow clock leaves behind is soon past its deadline. */
const slowClockMs = -45_000;

const cell: Cell = {
  lives: [
    { crashAt: 'dial.beforeRequest', clockOffsetMs: slowClockMs },
    { crashAt: 'dial.duringRequest', clockOffsetMs: slowClockMs },
    {},
  ],
  mode: { name: 'reset-after', target: 'sip', mode: 'reset-after', share: 0.3 },
  recipients: 12,
  isCampaign: false,
  cancelShare: 0.2,
  seed,
};

(isInstalled ? describe : describe.skip)('on real media', () => {
  let engines: ChaosEngines;
  beforeAll(async () => {
    engines = await startChaosEngines(binaries);
  });
  afterAll(() => engines?.stop());

  it('dialers that die let no phone ring twice for one attempt, and leave no attempt without an outcome', async () => {
    const { violations, missed } = await runCells(engines, turnsOf(1), {
      name: 'real',
      cells: [cell],
      settleMs: 150_000,
      outcomeGraceMs: 60_000,
    });
    expect({ seed, violations, missed }).toEqual({ seed, violations: [], missed: [] });
  }, 300_000);

  it('a call that is cancelled while it is answered has one end', async () => {
    const run = { engines, seed, atOnce: 1, turns: turnsOf(1) };
    const outcome = await runCancelRaces(run, { races: 16, copies: 1, waitForHangUps: false });
    const { violations } = outcome;
    expect({ seed, violations, unseen: neverSeen(outcome) }).toEqual({ seed, violations: [], unseen: [] });
  }, 240_000);
});
