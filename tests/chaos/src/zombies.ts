// Dialers that fall asleep between recording an attempt and dialling it, and wake up when everybody has changed their mind.
import { setTimeout as pause } from 'node:timers/promises';
import { audit, unfinished, type Violation } from './audit.js';
import { auditCampaigns, readRecipients } from './campaign-audit.js';
import type { DialerProcess } from './dialer-process.js';
import { type Dice, diceOf } from './dice.js';
import { DicedFaults } from './diced-faults.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import { People, phones } from './people.js';
import { settled, triedOnce } from './settling.js';
import { untilStopped } from './sleeping.js';
import { sumOf, type Tally, tallyOf } from './tally.js';
import { startWorld, type World } from './world.js';

/** Where they fall asleep: as early and as late as possible. */
export const sleepingPlaces = ['dial.afterStart', 'dial.afterRoom', 'dial.beforeRequest'] as const;

/** People who call one by one, or the recipients of a campaign, each waiting for the second attempt. */
type Callers = 'people' | 'retries of a campaign';

export interface ZombieSizes {
  /** In all, spread over the worlds. */
  readonly zombies: number;
  /** A world each. */
  readonly places: readonly { readonly stopAt: string; readonly callers: Callers }[];
  /** A call that is cancelled while in doubt is hung up until its deadline, which is a minute away. */
  readonly waitForHangUps: boolean;
}

/** Every place, for both kinds of callers; twice for people, so that everything takes as long. */
export const allSleepingPlaces: ZombieSizes['places'] = (
  ['people', 'people', 'retries of a campaign'] as const
).flatMap((callers) => sleepingPlaces.map((stopAt) => ({ stopAt, callers })));

const callsPerZombie = 6;
const stopPatienceMs = 20_000;
const settleMs = 90_000;
const triedMs = 20_000;
/** After this nothing may ring any more, so a phone that was going to ring has rung. */
const afterwardsMs = 2_500;
const noFault = { name: 'ok', target: 'sip', mode: 'ok', share: 0 } as const;
const tooManyCalls = { name: '429', target: 'sip', mode: '429', share: 1 } as const;

interface Bed {
  readonly world: World;
  readonly people: People;
  readonly faults: DicedFaults;
  readonly dice: Dice;
  readonly sleeper: DialerProcess;
}

/** Calls that the sleeper is about to make. Resolves with a function that cancels them all. */
const callOneByOne = async ({ people, sleeper }: Bed): Promise<() => Promise<unknown>> => {
  await sleeper.arm();
  const placed = Array.from({ length: callsPerZombie }, () => people.place(phones.neverAnswers));
  return async () => {
    const ids = await Promise.all(placed);
    await Promise.all(ids.map((id) => people.cancel(id)));
  };
};

/** A campaign of recipients that were all refused once, for now: the sleeper is about to make their second attempt. */
const callAgain = async ({ world, people, faults, dice, sleeper }: Bed): Promise<() => Promise<unknown>> => {
  faults.turnTo(tooManyCalls, dice);
  const campaignId = await people.startCampaign(Array<string>(callsPerZombie).fill(phones.neverAnswers));
  await triedOnce(world, campaignId, callsPerZombie, triedMs);
  await sleeper.arm();
  faults.turnTo(noFault, dice);
  return () => people.cancelCampaign(campaignId);
};

/** Resolves with whether it slept. */
const zombie = async (bed: Bed, callers: Callers): Promise<boolean> => {
  const { dice, sleeper } = bed;
  const cancelAll = await (callers === 'people' ? callOneByOne(bed) : callAgain(bed));
  const slept = await untilStopped(sleeper, stopPatienceMs);
  await pause(dice.below(7_000));
  await cancelAll();
  await pause(dice.below(3_000));
  sleeper.signal('SIGCONT');
  await pause(afterwardsMs);
  return slept;
};

const lie = async (
  world: World,
  faults: DicedFaults,
  { stopAt, seed }: { readonly stopAt: string; readonly seed: string },
): Promise<Bed> => {
  // One dial at a time, so that the sleeper gets most of the calls.
  const variables = { MAX_CONCURRENT_DIALS: '1', MAX_CONCURRENT_CAMPAIGN_CALLS: '1' };
  const awake = world.startDialer({ variables });
  const sleeper = world.startDialer({ stopAt, isArmedLater: true });
  await Promise.all([awake.serving, sleeper.serving]);
  return { world, people: new People(world), faults, dice: diceOf(seed), sleeper };
};

interface Night {
  readonly name: string;
  readonly zombies: number;
  readonly place: ZombieSizes['places'][number];
}

interface Dreamt {
  readonly slept: number;
  readonly place: Night['place'];
  readonly tally: Tally;
  readonly violations: readonly Violation[];
}

const wake = async ({ world, people }: Bed, { place, zombies }: Night, waitForHangUps: boolean) => {
  const isCampaign = place.callers !== 'people';
  const everybody = zombies * callsPerZombie;
  const awaited = isCampaign ? { recipients: everybody } : { calls: everybody };
  const isSettled = !waitForHangUps || (await settled(world, awaited, settleMs));
  const evidence = await world.evidence();
  const ofCampaigns = isCampaign
    ? auditCampaigns(await readRecipients(world.db), evidence, people.cancelledCampaigns)
    : [];
  const violations = [...audit(evidence), ...ofCampaigns, ...(isSettled ? [] : unfinished(evidence))];
  return { tally: tallyOf(evidence), violations };
};

const runNight = async (
  run: Run,
  night: Night,
  waitForHangUps: boolean,
  onZombie: () => void,
): Promise<Dreamt> => {
  const seed = `${run.seed}/${night.name}`;
  const faults = new DicedFaults(noFault, diceOf(seed));
  const stops: (() => Promise<void>)[] = [];
  try {
    const bed = await run.turns.during(async () => {
      const world = await startWorld(run.engines, night.name, faults);
      stops.push(() => world.stop());
      return lie(world, faults, { stopAt: night.place.stopAt, seed });
    });
    let slept = 0;
    for (let made = 0; made < night.zombies; made += 1) {
      if (await zombie(bed, night.place.callers)) slept += 1;
      onZombie();
    }
    return { slept, place: night.place, ...(await wake(bed, night, waitForHangUps)) };
  } finally {
    for (const stop of stops) await stop();
  }
};

const titleOf = ({ stopAt, callers }: Night['place']): string =>
  callers === 'people' ? `${stopAt} (asleep)` : `${stopAt} (asleep, ${callers})`;

export const runZombieDialers = async (run: Run, sizes: ZombieSizes): Promise<Outcome> => {
  const { zombies, places, waitForHangUps } = sizes;
  const nights = places.map((place, index) => ({
    name: `zombies-${index}`,
    zombies: Math.floor((zombies + index) / places.length),
    place,
  }));
  let done = 0;
  const onZombie = (): void => {
    done += 1;
    run.onStep?.(done, zombies);
  };
  const wanted = nights.filter((night) => night.zombies > 0);
  const dreamt = await many(wanted, run.atOnce, (night) => runNight(run, night, waitForHangUps, onZombie));
  const times = (title: string): number =>
    dreamt.filter(({ place }) => titleOf(place) === title).reduce((sum, { slept }) => sum + slept, 0);
  return {
    name: 'zombie dialers',
    tally: sumOf(dreamt.map(({ tally }) => tally)),
    violations: dreamt.flatMap(({ violations }) => violations),
    seen: Object.fromEntries(wanted.map(({ place }) => [titleOf(place), times(titleOf(place))])),
    note: `${zombies} times a dialer stopped, its calls were cancelled, and it was woken up`,
  };
};
