// One experiment of the sweep: dialers that die one after the other over the same calls, and one that lives on.
import { setTimeout as pause } from 'node:timers/promises';
import type { Cell, Life } from './cell-shapes.js';
import type { DialerProcess } from './dialer-process.js';
import { type Dice, diceOf } from './dice.js';
import { type People, phones } from './people.js';
import { untilStopped } from './sleeping.js';
import { nameOf } from './sweep-plan.js';
import type { World } from './world.js';

/** Crash points at which a dialer died or slept, and those that none came to. */
export interface Lived {
  readonly reached: string[];
  readonly missed: string[];
  /** Goes on living. */
  readonly survivor: DialerProcess;
}

/** A point that a dialer does not come to in this time, once it serves, is not reached in this cell. */
const crashPatienceMs = 30_000;
/** Longer than a dialer may be away and still dial. */
const sleepMs = 6_000;
const cancelWithinMs = 4_000;
/** Calls in doubt keep their place for a minute, and others are to be dialled meanwhile. */
const variables = { MAX_CONCURRENT_DIALS: '100' };

const endings = [
  ...Array<string>(5).fill(phones.hangsUp),
  ...Array<string>(4).fill(phones.talks),
  phones.neverAnswers,
  phones.busy,
  phones.declines,
  phones.unknownNumber,
  phones.providerBusyOnce,
  phones.providerSilent,
];

/** A person calls, and perhaps cancels soon after. */
const call = async (people: People, ending: string, cancelAfterMs: number | undefined): Promise<void> => {
  const id = await people.place(ending);
  if (cancelAfterMs === undefined) return;
  await pause(cancelAfterMs);
  await people.cancel(id);
};

const callAll = (people: People, dice: Dice, cell: Cell, recipients: number): Promise<void>[] =>
  Array.from({ length: recipients }, () => {
    const cancelAfterMs = dice.chance(cell.cancelShare) ? dice.below(cancelWithinMs) : undefined;
    return call(people, dice.pick(endings), cancelAfterMs);
  });

interface Ended {
  readonly isReached: boolean;
  /** Undefined when it is dead. */
  readonly survivor: DialerProcess | undefined;
}

/** Lets a dialer live until it dies by itself. */
const untilDeath = async (world: World, dialer: DialerProcess): Promise<Ended> => {
  const tooLong = dialer.serving.then(() => pause(crashPatienceMs, 'tooLong' as const, { ref: false }));
  const end = await Promise.race([dialer.death, tooLong]);
  if (end === 'failed') throw new Error(`a dialer of ${world.name} failed; see its dialers.log`);
  await dialer.kill();
  return { isReached: end === 'itself', survivor: undefined };
};

/** Lets a dialer fall asleep and wakes it up when its next step is overdue. */
const untilAwake = async (world: World, dialer: DialerProcess): Promise<Ended> => {
  if (!(await untilStopped(dialer, crashPatienceMs))) {
    await dialer.kill();
    return { isReached: false, survivor: undefined };
  }
  const wake = world.presence.sleep();
  await pause(sleepMs);
  dialer.signal('SIGCONT');
  wake();
  return { isReached: true, survivor: dialer };
};

/** The place in a report for the point that this life reached; undefined when the life has no point to reach. */
const pointOf = ({ crashAt, stopAt }: Life): string | undefined =>
  crashAt ?? (stopAt === undefined ? undefined : nameOf({ point: stopAt, dialer: 'sleeps' }));

const endOf = (world: World, life: Life, dialer: DialerProcess): Promise<Ended> => {
  if (life.crashAt !== undefined) return untilDeath(world, dialer);
  if (life.stopAt !== undefined) return untilAwake(world, dialer);
  return Promise.resolve({ isReached: true, survivor: dialer });
};

/** Calls of the whole cell, a share of them for every life. */
const callsOf = (cell: Cell, people: People, dice: Dice): ((life: number) => Promise<unknown>[]) => {
  const { recipients, lives } = cell;
  if (cell.isCampaign) {
    const campaign = people.startCampaign(Array.from({ length: recipients }, () => dice.pick(endings)));
    const over = cell.isCampaignCancelled
      ? campaign.then(async (id) => {
          await pause(dice.below(cancelWithinMs));
          await people.cancelCampaign(id);
        })
      : campaign;
    return (life) => (life === 0 ? [over] : []);
  }
  const upTo = (life: number): number => Math.round((recipients * life) / lives.length);
  return (life) => callAll(people, dice, cell, upTo(life + 1) - upTo(life));
};

/** The dialer that lives on from the cell before, and the fate of the one that lives on after this cell. */
interface Between {
  /** Waits to be armed for the first of this cell's lives. */
  readonly before: DialerProcess | undefined;
  readonly next: Life | undefined;
}

const surviving = (world: World, { next }: Between): DialerProcess =>
  world.startDialer({ ...next, isArmedLater: true, variables });

/** The dialer of a life: there already, or started for it. Starting takes time, so a surviving dialer is used again. */
const dialerFor = async (
  world: World,
  cell: Cell,
  index: number,
  between: Between,
): Promise<DialerProcess> => {
  const life = cell.lives[index] ?? {};
  if (index > 0 && pointOf(life) !== undefined) return world.startDialer({ ...life, variables });
  if (index > 0) return surviving(world, between);
  const dialer = between.before ?? world.startDialer({ ...life, isArmedLater: true, variables });
  await dialer.arm();
  return dialer;
};

/** Resolves with the surviving dialers, once every person has heard that their call is placed. */
export const live = async (world: World, people: People, cell: Cell, between: Between): Promise<Lived> => {
  const dice = diceOf(cell.seed);
  const reached: string[] = [];
  const missed: string[] = [];
  const calls = callsOf(cell, people, dice);
  const calling: Promise<unknown>[] = [];
  let alive: DialerProcess | undefined;
  for (const [index, life] of cell.lives.entries()) {
    const dialer = await dialerFor(world, cell, index, between);
    for (const one of calls(index)) {
      // After a failure of a dialer, no code waits for this promise.
      one.catch(() => undefined);
      calling.push(one);
    }
    const { isReached, survivor } = await endOf(world, life, dialer);
    alive = survivor;
    const point = pointOf(life);
    if (point !== undefined) (isReached ? reached : missed).push(point);
    if (index < cell.lives.length - 1) await pause(dice.below(500));
  }
  await Promise.all(calling);
  return { reached, missed, survivor: alive ?? surviving(world, between) };
};
