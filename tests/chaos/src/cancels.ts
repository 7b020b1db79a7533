// Campaigns that are cancelled at any moment while they dial, some of them while one of the dialers dies.
import { setTimeout as pause } from 'node:timers/promises';
import { audit, unfinished, type Violation } from './audit.js';
import { auditCampaigns, readRecipients } from './campaign-audit.js';
import type { DialerProcess } from './dialer-process.js';
import { type Dice, diceOf } from './dice.js';
import { DicedFaults } from './diced-faults.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import { People, phones } from './people.js';
import { watchProgress } from './progress-watch.js';
import { over, settled } from './settling.js';
import { tallyOf } from './tally.js';
import { startWorld, type World } from './world.js';

export interface CancelSizes {
  readonly campaigns: number;
  readonly recipients: number;
  /** One of the two dialers dies with every so many campaigns; never when undefined. */
  readonly dialerDiesEvery: number | undefined;
  /** A call that is cancelled while in doubt is hung up until its deadline, which is a minute away. */
  readonly waitForHangUps: boolean;
}

const noFault = { name: 'ok', target: 'sip', mode: 'ok', share: 0 } as const;
const campaignsAtOnce = 6;
const settleMs = 95_000;
/** Slow enough that in the middle of it somebody has not been called yet. */
const callsPerSecond = 3;
/** Of the campaigns, the share that is cancelled at once, perhaps while the file is read. */
const atOnceShare = 0.1;
/** Any time from one attempt to the next. */
const cancelWithinMs = 1_000 / callsPerSecond;
const beginMs = 60_000;
/** After this nothing may ring any more, so a phone that was going to ring has rung. */
const afterwardsMs = 2_500;
const endings = [phones.talks, phones.hangsUp, phones.hangsUp, phones.neverAnswers, phones.busy];

/** Two dialers side by side, of which one dies now and then and comes back. */
class Copies {
  readonly #world: World;
  #second: DialerProcess;
  #dying: Promise<void> = Promise.resolve();
  deaths = 0;

  constructor(world: World) {
    this.#world = world;
    world.startDialer();
    this.#second = world.startDialer();
  }

  killOne(): void {
    this.#dying = this.#dying.then(async () => {
      await this.#second.serving;
      await this.#second.kill();
      this.deaths += 1;
      this.#second = this.#world.startDialer();
    });
  }

  async settled(): Promise<void> {
    await this.#dying;
  }
}

/** The readings of one campaign from its start until some time after its cancellation. */
const cancelOne = async (people: People, dice: Dice, recipients: number): Promise<Violation[]> => {
  const file = Array.from({ length: recipients }, () => dice.pick(endings));
  const attempts = dice.chance(atOnceShare) ? 0 : 1 + dice.below(recipients / 2);
  const cancelAfterMs = dice.below(cancelWithinMs);
  const id = await people.startCampaign(file, callsPerSecond);
  const watch = watchProgress(people, id);
  await watch.attempts(attempts, beginMs);
  await pause(cancelAfterMs);
  await people.cancelCampaign(id);
  const once = await people.campaign(id);
  // Again says the same, and cancels nothing twice.
  await people.cancelCampaign(id);
  const twice = await people.campaign(id);
  await pause(afterwardsMs);
  const violations = await watch.stop();
  if (once.status !== twice.status)
    violations.push({ rule: `cancelled twice, and is ${twice.status} after ${once.status}`, about: id });
  return violations;
};

const cancelAll = async (run: Run, world: World, sizes: CancelSizes) => {
  const { campaigns, recipients, dialerDiesEvery } = sizes;
  const people = new People(world);
  const copies = new Copies(world);
  let done = 0;
  const found = await many(
    Array.from({ length: campaigns }, (_, index) => index),
    campaignsAtOnce,
    async (index) => {
      const dice = diceOf(`${run.seed}/cancels/${index}`);
      if (dialerDiesEvery !== undefined && index % dialerDiesEvery === dialerDiesEvery - 1) copies.killOne();
      const violations = await cancelOne(people, dice, recipients);
      done += 1;
      run.onStep?.(done, campaigns);
      return violations;
    },
  );
  await copies.settled();
  return { people, violations: found.flat(), deaths: copies.deaths };
};

const conclude = async (world: World, people: People, sizes: CancelSizes) => {
  const isOver = await over(world, settleMs);
  const isSettled = isOver && (!sizes.waitForHangUps || (await settled(world, 'what there is', settleMs)));
  const evidence = await world.evidence();
  const there = await readRecipients(world.db);
  const open = there.recipients.filter(({ state }) => ['pending', 'queued', 'in_progress'].includes(state));
  const violations = [
    ...audit(evidence),
    ...auditCampaigns(there, evidence, people.cancelledCampaigns),
    ...(isSettled ? [] : unfinished(evidence)),
    ...open.map(({ callId, state }) => ({ rule: `a recipient is still ${state}`, about: callId })),
  ];
  return { evidence, violations, recipients: there.recipients };
};

export const runCampaignCancels = async (run: Run, sizes: CancelSizes): Promise<Outcome> => {
  const world = await startWorld(run.engines, 'cancels', new DicedFaults(noFault, diceOf(run.seed)));
  try {
    const cancelled = await run.turns.during(() => cancelAll(run, world, sizes));
    const { evidence, violations, recipients } = await conclude(world, cancelled.people, sizes);
    const called = recipients.filter(({ attempts }) => attempts > 0).length;
    return {
      name: 'campaign cancels',
      tally: tallyOf(evidence),
      violations: [...cancelled.violations, ...violations],
      seen: {
        'campaign cancelled': cancelled.people.cancelledCampaigns.size,
        'recipient called before': called,
        'recipient never called': recipients.length - called,
        ...(sizes.dialerDiesEvery === undefined ? {} : { 'dialer killed': cancelled.deaths }),
      },
      note: `${sizes.campaigns} campaigns of ${sizes.recipients}, ${cancelled.deaths} times with a dialer killed`,
    };
  } finally {
    await world.stop();
  }
};
