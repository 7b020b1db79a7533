// Many people at once: some cancel while the callee answers and hangs up, others all ask for another attempt.
import { setTimeout as pause } from 'node:timers/promises';
import { audit, unfinished } from './audit.js';
import { type Dice, diceOf } from './dice.js';
import { DicedFaults } from './diced-faults.js';
import type { Evidence } from './evidence/evidence.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import { type CancelAnswer, People, phones } from './people.js';
import { auditRetries, retriedCalls } from './retry-audit.js';
import { ended, settled } from './settling.js';
import { tallyOf } from './tally.js';
import { startWorld, type World } from './world.js';

const noFault = { name: 'ok', target: 'sip', mode: 'ok', share: 0 } as const;
const settleMs = 90_000;
/** Few enough that one call is a measure for the next. */
const callsAtOnce = 16;

const startCopies = async (world: World, copies: number): Promise<void> => {
  const variables = { MAX_CONCURRENT_DIALS: '200' };
  await Promise.all(Array.from({ length: copies }, () => world.startDialer({ variables }).serving));
};

/**
 * Chooses the moment of a cancellation so that every second one comes too late, on an idle and on a busy machine. Each
 * answer moves the next cancellation towards the instant in which calls end. The dice spread it around that instant.
 */
class CancelTiming {
  readonly #dice: Dice;
  #endsAfterMs: number;

  /** @param endsAfterMs the duration of a call, to begin with */
  constructor(dice: Dice, endsAfterMs: number) {
    this.#dice = dice;
    this.#endsAfterMs = endsAfterMs;
  }

  nextMs(): number {
    return this.#endsAfterMs * (1 - spread + 2 * spread * this.#dice.share());
  }

  learn(answer: CancelAnswer): void {
    this.#endsAfterMs *= answer === 'cancelled' ? 1 + step : 1 / (1 + step);
  }
}
const spread = 0.4;
const step = 0.06;

/** The duration in this world of a call to a person who hangs up. */
const timeOfCall = async (world: World, people: People): Promise<number> => {
  const startedAt = performance.now();
  await people.place(phones.hangsUp);
  await ended(world, 1, settleMs);
  return performance.now() - startedAt;
};

const race = async (people: People, timing: CancelTiming): Promise<void> => {
  const id = await people.place(phones.hangsUp);
  await pause(timing.nextMs());
  timing.learn(await people.cancel(id));
};

const countAnswers = ({ answers }: Evidence, kind: string): number =>
  answers.filter((answer) => answer.kind === kind).length;

/** The read model hears of a granted attempt a moment later. */
const hearsayMs = 1_000;

/** @param waitForHangUps a call that is cancelled while in doubt is hung up until its deadline, which is a minute away */
const conclude = async (world: World, calls: number, waitForHangUps = true) => {
  await pause(hearsayMs);
  const isOver = await ended(world, calls, settleMs);
  const isSettled = isOver && (!waitForHangUps || (await settled(world, { calls }, settleMs)));
  const evidence = await world.evidence();
  const violations = [...audit(evidence), ...(isSettled ? [] : unfinished(evidence))];
  return { evidence, violations };
};

/** People who cancel at the moment in which the callee answers or hangs up. */
export const runCancelRaces = async (
  run: Run,
  sizes: { readonly races: number; readonly copies: number; readonly waitForHangUps: boolean },
): Promise<Outcome> => {
  const { races, copies, waitForHangUps } = sizes;
  const seed = `${run.seed}/races`;
  const world = await startWorld(run.engines, 'races', new DicedFaults(noFault, diceOf(seed)));
  try {
    await run.turns.during(async () => {
      await startCopies(world, copies);
      const people = new People(world);
      const timing = new CancelTiming(diceOf(seed), await timeOfCall(world, people));
      let done = 0;
      await many(Array.from({ length: races }), callsAtOnce, async () => {
        await race(people, timing);
        done += 1;
        run.onStep?.(done, races);
      });
    });
    const { evidence, violations } = await conclude(world, races + 1, waitForHangUps);
    const seen = {
      'cancelled in time': countAnswers(evidence, 'cancelled'),
      'ended before': countAnswers(evidence, 'notCancellable'),
    };
    const note = `${seen['cancelled in time']} cancelled, ${seen['ended before']} had ended before`;
    return { name: 'cancel races', tally: tallyOf(evidence), violations, seen, note };
  } finally {
    await world.stop();
  }
};

const retryAll = async (
  run: Run,
  world: World,
  { calls, people: crowd, copies, ringingSeconds }: RetrySizes,
) => {
  await startCopies(world, copies);
  const people = new People(world);
  // A phone that rings without an answer: while it rings again, no attempt may be granted, and every person asks
  // meanwhile.
  const ids = await Promise.all(
    Array.from({ length: calls }, () => people.place(phones.neverAnswers, ringingSeconds)),
  );
  await settled(world, { calls }, settleMs);
  let done = 0;
  await many(ids, 4, async (id) => {
    await Promise.all(Array.from({ length: crowd }, () => people.retry(id)));
    done += 1;
    run.onStep?.(done, calls);
  });
  return ids;
};

interface RetrySizes {
  readonly calls: number;
  readonly people: number;
  readonly copies: number;
  /** All requests have to arrive within this time; on a busy machine some simultaneous requests come late. */
  readonly ringingSeconds: number;
}

/** Many people ask for another attempt of one call at the same moment, call after call. */
export const runRetryRaces = async (run: Run, sizes: RetrySizes): Promise<Outcome> => {
  const { calls, people: crowd } = sizes;
  const seed = `${run.seed}/retries`;
  const world = await startWorld(run.engines, 'retries', new DicedFaults(noFault, diceOf(seed)));
  try {
    const ids = await run.turns.during(() => retryAll(run, world, sizes));
    const { evidence, violations } = await conclude(world, calls);
    const retried = retriedCalls(evidence, ids);
    const once = retried.filter(({ recorded }) => recorded === 1).length;
    const refused = countAnswers(evidence, 'notRetryable');
    const late = once === calls ? '' : `; in ${calls - once} somebody came when the next attempt was over`;
    return {
      name: 'retry races',
      tally: tallyOf(evidence),
      violations: [...violations, ...auditRetries(retried)],
      seen: { 'one retry for everybody': once, 'refused a retry': refused },
      note: `${calls} calls, ${crowd} people each: ${refused} refused${late}`,
    };
  } finally {
    await world.stop();
  }
};
