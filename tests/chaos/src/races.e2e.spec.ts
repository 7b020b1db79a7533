// The short version of `npm run chaos -- dialing`: everybody at once.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCampaignCancels } from './cancels.js';
import { type ChaosEngines, startChaosEngines } from './engines.js';
import { neverSeen, type Outcome, type Run } from './experiment.js';
import { runOneKey } from './one-key.js';
import { runCancelRaces, runRetryRaces } from './races.js';
import { turnsOf } from './turns.js';

/** Repeatable; the long version takes any. */
const seed = '2026-11-21';

let engines: ChaosEngines;
let run: Run;
beforeAll(async () => {
  engines = await startChaosEngines();
  run = { engines, seed, atOnce: 1, turns: turnsOf(2) };
});
afterAll(() => engines?.stop());

const expectToHold = (outcome: Outcome): void => {
  const { violations } = outcome;
  expect({ seed, violations, unseen: neverSeen(outcome) }).toEqual({ seed, violations: [], unseen: [] });
};

// Each has a world of its own. Two of them are busy at a time, and all wait for deadlines together.

it.concurrent('a call that is cancelled while it is answered has one end', async () => {
  expectToHold(await runCancelRaces(run, { races: 24, copies: 1, waitForHangUps: false }));
}, 240_000);

it.concurrent('a call of which 50 people want another attempt gets one', async () => {
  expectToHold(await runRetryRaces(run, { calls: 2, people: 50, copies: 1, ringingSeconds: 10 }));
}, 240_000);

it.concurrent('a call that 100 requests ask for under one Idempotency-Key is made once', async () => {
  expectToHold(await runOneKey(run, { keys: 1, kill: false }));
}, 240_000);

it.concurrent('a campaign that is cancelled while it dials rings up nobody afterwards, and its progress sums all the time', async () => {
  const sizes = { campaigns: 2, recipients: 15, dialerDiesEvery: undefined, waitForHangUps: false };
  expectToHold(await runCampaignCancels(run, sizes));
}, 240_000);
