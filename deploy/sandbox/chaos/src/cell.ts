// One experiment of the sweep: dialers that die one after the other over the same calls, and one that lives.
import { setTimeout as pause } from 'node:timers/promises';
import { audit, unfinished, type Violation } from './audit.js';
import { auditCampaign, readRecipients } from './campaign-audit.js';
import { endConversations } from './conversations.js';
import { type Dice, diceOf } from './dice.js';
import { DicedFaults, type ProviderMode } from './diced-faults.js';
import type { ChaosEngines } from './engines.js';
import { People, phones } from './people.js';
import { settled } from './settling.js';
import { untilStopped } from './sleeping.js';
import { nameOf } from './sweep-plan.js';
import { type Tally, tallyOf } from './tally.js';
import type { Turns } from './turns.js';
import { startWorld, type World } from './world.js';

/** One dialer's life. */
export interface Life {
  /** Where it dies, and another one follows. */
  readonly crashAt?: string;
  /** Where it falls asleep for a while; it goes on living afterwards. */
  readonly stopAt?: string;
  readonly clockOffsetMs?: number;
}

export interface Cell {
  readonly name: string;
  readonly lives: readonly Life[];
  readonly mode: ProviderMode;
  readonly recipients: number;
  /** All recipients are called by one campaign. */
  readonly isCampaign: boolean;
  /** Of the recipients, the share that is cancelled a moment later. */
  readonly cancelShare: number;
  readonly seed: string;
  /** How long calls may take to end once the last dialer has started. */
  readonly settleMs: number;
  /** How late an outcome may be after the attempt's deadline; what was promised unless given. */
  readonly outcomeGraceMs?: number;
}

export interface CellResult {
  readonly cell: Cell;
  /** Crash points at which a dialer died or slept, and those that none came to. */
  readonly reached: readonly string[];
  readonly missed: readonly string[];
  readonly tally: Tally;
  readonly violations: readonly Violation[];
}

/** A point that a dialer does not come to in this time, once it serves, is not reached in this cell. */
const crashPatienceMs = 20_000;
/** Longer than a dialer may be away and still dial. */
const sleepMs = 6_000;
const cancelWithinMs = 4_000;

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

/** A person who calls, and perhaps thinks better of it. */
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

/** Lets a dialer live until it dies by itself. True when it did. */
const untilDeath = async (world: World, life: Life): Promise<boolean> => {
  const dialer = world.startDialer(life);
  const tooLong = dialer.serving.then(() => pause(crashPatienceMs, 'tooLong' as const, { ref: false }));
  const end = await Promise.race([dialer.death, tooLong]);
  if (end === 'failed') throw new Error(`a dialer of ${world.name} failed; see its dialers.log`);
  await dialer.kill();
  return end === 'itself';
};

/** Lets a dialer fall asleep and wakes it up, too late for what it was about to do. True when it slept. */
const untilAwake = async (world: World, life: Life): Promise<boolean> => {
  const dialer = world.startDialer(life);
  if (!(await untilStopped(dialer, crashPatienceMs))) return false;
  await pause(sleepMs);
  dialer.signal('SIGCONT');
  return true;
};

interface Lived {
  readonly reached: string[];
  readonly missed: string[];
}

const liveOnce = async (world: World, life: Life, { reached, missed }: Lived): Promise<void> => {
  const { crashAt, stopAt } = life;
  if (crashAt !== undefined) ((await untilDeath(world, life)) ? reached : missed).push(crashAt);
  else if (stopAt !== undefined)
    ((await untilAwake(world, life)) ? reached : missed).push(nameOf({ point: stopAt, dialer: 'sleeps' }));
  else world.startDialer(life);
};

const live = async (world: World, cell: Cell): Promise<Lived> => {
  const dice = diceOf(cell.seed);
  const people = new People(world);
  const lived: Lived = { reached: [], missed: [] };
  const calling: Promise<unknown>[] = [];
  if (cell.isCampaign)
    calling.push(people.startCampaign(Array.from({ length: cell.recipients }, () => dice.pick(endings))));
  for (const [index, life] of cell.lives.entries()) {
    const upTo = Math.round((cell.recipients * (index + 1)) / cell.lives.length);
    if (!cell.isCampaign) calling.push(...callAll(people, dice, cell, upTo - calling.length));
    await liveOnce(world, life, lived);
    await pause(200 + dice.below(800));
  }
  await Promise.all(calling);
  return lived;
};

const conclude = async (world: World, cell: Cell, lived: Lived): Promise<CellResult> => {
  const isSettled = await settled(world, cell.recipients, cell.settleMs);
  const evidence = await world.evidence();
  const ofCampaign = cell.isCampaign ? auditCampaign(await readRecipients(world.db), evidence) : [];
  const late = isSettled ? [] : unfinished(evidence);
  const violations = [...audit(evidence, cell.outcomeGraceMs), ...late, ...ofCampaign];
  return { cell, ...lived, tally: tallyOf(evidence), violations };
};

/** Takes its turn while it is busy, and waits beside others for the calls to end. */
export const runCell = async (engines: ChaosEngines, turns: Turns, cell: Cell): Promise<CellResult> => {
  const faults = new DicedFaults(cell.mode, diceOf(`${cell.seed}/provider`));
  const stops: (() => Promise<void>)[] = [];
  try {
    const { world, lived } = await turns.during(async () => {
      const world = await startWorld(engines, cell.name, faults);
      stops.push(() => world.stop());
      stops.unshift(endConversations(world));
      return { world, lived: await live(world, cell) };
    });
    return await conclude(world, cell, lived);
  } finally {
    for (const stop of stops) await stop();
  }
};
