// Dialers that fall asleep between recording an attempt and dialling it, and wake up when everybody has changed their mind.
import { setTimeout as pause } from 'node:timers/promises';
import { audit, unfinished } from './audit.js';
import { type Dice, diceOf } from './dice.js';
import { DicedFaults } from './diced-faults.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import { People, phones } from './people.js';
import { settled } from './settling.js';
import { untilStopped } from './sleeping.js';
import { sumOf, tallyOf } from './tally.js';
import { startWorld, type World } from './world.js';

/** Where it falls asleep: as early and as late as possible. */
export const sleepingPlaces = ['dial.afterStart', 'dial.afterRoom', 'dial.beforeRequest'] as const;

export interface ZombieSizes {
  /** In all, spread over as many worlds as there may be. */
  readonly zombies: number;
  readonly stops: readonly string[];
  /** What is cancelled while it is in doubt is hung up until its deadline, which is a minute away. */
  readonly waitForHangUps: boolean;
}

const callsPerZombie = 6;
const stopPatienceMs = 20_000;
const settleMs = 90_000;
/** After this nothing may ring any more, so a phone that was going to ring has rung. */
const afterwardsMs = 2_500;
const noFault = { name: 'ok', target: 'sip', mode: 'ok', share: 0 } as const;

/** One sleeper beside a dialer that is awake and busy. Resolves with where it slept, if it did. */
const zombie = async (
  world: World,
  people: People,
  dice: Dice,
  stops: readonly string[],
): Promise<string | undefined> => {
  const stopAt = dice.pick(stops);
  const sleeper = world.startDialer({ stopAt });
  const placed = Array.from({ length: callsPerZombie }, () => people.place(phones.neverAnswers));
  const slept = await untilStopped(sleeper, stopPatienceMs);
  await pause(dice.below(7_000));
  const ids = await Promise.all(placed);
  await Promise.all(ids.map((id) => people.cancel(id)));
  await pause(dice.below(3_000));
  sleeper.signal('SIGCONT');
  await pause(afterwardsMs);
  await sleeper.kill();
  return slept ? stopAt : undefined;
};

const runZombies = async (run: Run, name: string, sizes: ZombieSizes) => {
  const { zombies, waitForHangUps } = sizes;
  const seed = `${run.seed}/${name}`;
  const world = await startWorld(run.engines, name, new DicedFaults(noFault, diceOf(seed)));
  try {
    const people = new People(world);
    // One dial at a time, so that the sleeper gets most of the calls.
    world.startDialer({ variables: { MAX_CONCURRENT_DIALS: '1' } });
    const dice = diceOf(seed);
    const slept: (string | undefined)[] = [];
    for (let made = 0; made < zombies; made += 1)
      slept.push(await run.turns.during(() => zombie(world, people, dice, sizes.stops)));
    const isSettled =
      !waitForHangUps || (await settled(world, { calls: zombies * callsPerZombie }, settleMs));
    const evidence = await world.evidence();
    const violations = [...audit(evidence), ...(isSettled ? [] : unfinished(evidence))];
    return { slept, tally: tallyOf(evidence), violations };
  } finally {
    await world.stop();
  }
};

export const runZombieDialers = async (run: Run, sizes: ZombieSizes): Promise<Outcome> => {
  const { zombies, stops } = sizes;
  const worlds = Math.min(run.atOnce, zombies);
  const shares = Array.from({ length: worlds }, (_, index) => ({
    name: `zombies-${index}`,
    zombies: Math.floor((zombies + index) / worlds),
  }));
  let done = 0;
  const results = await many(shares, worlds, async (share) => {
    const result = await runZombies(run, share.name, { ...sizes, zombies: share.zombies });
    done += share.zombies;
    run.onStep?.(done, zombies);
    return result;
  });
  const slept = results.flatMap((result) => result.slept);
  const times = (point: string): number => slept.filter((where) => where === point).length;
  return {
    name: 'zombie dialers',
    tally: sumOf(results.map(({ tally }) => tally)),
    violations: results.flatMap(({ violations }) => violations),
    seen: Object.fromEntries(stops.map((point) => [`${point} (asleep)`, times(point)])),
    note: `${zombies} dialers stopped, their calls cancelled, and woken up`,
  };
};
