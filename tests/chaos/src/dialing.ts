// The experiments on dialing, by the name under which each can be asked for alone.
import { runCampaignCancels } from './cancels.js';
import type { Outcome, Run } from './experiment.js';
import { runOneKey } from './one-key.js';
import { runCancelRaces, runRetryRaces } from './races.js';
import { runSweep } from './sweep.js';
import { allSleepingPlaces, runZombieDialers } from './zombies.js';

export interface Sizes {
  readonly recipients: number;
  readonly cells: string;
  readonly zombies: number;
  readonly races: number;
  readonly cancels: number;
  readonly retries: number;
  readonly keys: number;
}

const peopleWhoRetry = 50;

export const dialingExperiments: Readonly<Record<string, (run: Run, sizes: Sizes) => Promise<Outcome>>> = {
  sweep: (run, { recipients, cells }) => runSweep(run, { recipients, only: cells }),
  zombies: (run, { zombies }) =>
    runZombieDialers(run, { zombies, places: allSleepingPlaces, waitForHangUps: true }),
  races: (run, { races }) => runCancelRaces(run, { races, copies: 2, waitForHangUps: true }),
  cancels: (run, { cancels }) =>
    runCampaignCancels(run, {
      campaigns: cancels,
      recipients: 20,
      dialerDiesEvery: 10,
      waitForHangUps: true,
    }),
  retries: (run, { retries }) =>
    runRetryRaces(run, { calls: retries, people: peopleWhoRetry, copies: 2, ringingSeconds: 60 }),
  keys: (run, { keys }) => runOneKey(run, { keys, kill: true }),
};
