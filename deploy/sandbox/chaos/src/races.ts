// Everybody at once: people who cancel while the callee answers and hangs up, and people who all ask for another attempt.
import { setTimeout as pause } from 'node:timers/promises';
import { audit, unfinished, type Violation } from './audit.js';
import { type Dice, diceOf } from './dice.js';
import { DicedFaults } from './diced-faults.js';
import type { Evidence } from './evidence.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import { People, phones } from './people.js';
import { settled } from './settling.js';
import { tallyOf } from './tally.js';
import { startWorld, type World } from './world.js';

const noFault = { name: 'ok', target: 'sip', mode: 'ok', share: 0 } as const;
const settleMs = 90_000;
const callsAtOnce = 60;
/** The callee answers about a second after the dial and hangs up half a second later; a busy dialer comes to it late. */
const cancelBetweenMs = [300, 5_000] as const;

const startCopies = async (world: World, copies: number): Promise<void> => {
  const variables = { MAX_CONCURRENT_DIALS: '200' };
  await Promise.all(Array.from({ length: copies }, () => world.startDialer({ variables }).serving));
};

const race = async (people: People, dice: Dice): Promise<void> => {
  const [from, to] = cancelBetweenMs;
  const cancelAfterMs = from + dice.below(to - from);
  const id = await people.place(phones.hangsUp);
  await pause(cancelAfterMs);
  await people.cancel(id);
};

const countAnswers = ({ answers }: Evidence, kind: string): number =>
  answers.filter((answer) => answer.kind === kind).length;

/** The read model hears of what was just granted a moment later. */
const hearsayMs = 1_000;

const conclude = async (world: World, calls: number) => {
  await pause(hearsayMs);
  const isSettled = await settled(world, calls, settleMs);
  const evidence = await world.evidence();
  const violations = [...audit(evidence), ...(isSettled ? [] : unfinished(evidence))];
  return { evidence, violations };
};

/** People who cancel at the moment in which the callee answers or hangs up. */
export const runCancelRaces = async (
  run: Run,
  { races, copies }: { readonly races: number; readonly copies: number },
): Promise<Outcome> => {
  const seed = `${run.seed}/races`;
  const world = await startWorld(run.engines, 'races', new DicedFaults(noFault, diceOf(seed)));
  try {
    await startCopies(world, copies);
    const people = new People(world);
    const dice = diceOf(seed);
    let done = 0;
    await many(Array.from({ length: races }), callsAtOnce, async () => {
      await race(people, dice);
      done += 1;
      run.onStep?.(done, races);
    });
    const { evidence, violations } = await conclude(world, races);
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

/** Of everybody who asked, one was given another attempt, and there is one more. */
const retryFaults = (evidence: Evidence, ids: readonly string[]): Violation[] =>
  ids.flatMap((id) => {
    const granted = evidence.answers.filter((answer) => answer.id === id && answer.kind === 'retried');
    const events = evidence.streams.get(id) ?? [];
    const started = events.filter(({ type }) => type === 'AttemptStarted');
    return granted.length === 1 && started.length === 2
      ? []
      : [{ rule: `${granted.length} retries granted, ${started.length} attempts`, about: id }];
  });

/** Many who ask for another attempt of one call at the same moment, call after call. */
export const runRetryRaces = async (
  run: Run,
  sizes: { readonly calls: number; readonly people: number; readonly copies: number },
): Promise<Outcome> => {
  const { calls, people: crowd, copies } = sizes;
  const seed = `${run.seed}/retries`;
  const world = await startWorld(run.engines, 'retries', new DicedFaults(noFault, diceOf(seed)));
  try {
    await startCopies(world, copies);
    const people = new People(world);
    // A phone that rings until nobody answers: while it rings again, nobody else may ask.
    const ids = await Promise.all(Array.from({ length: calls }, () => people.place(phones.neverAnswers)));
    await settled(world, calls, settleMs);
    let done = 0;
    await many(ids, 4, async (id) => {
      await Promise.all(Array.from({ length: crowd }, () => people.retry(id)));
      done += 1;
      run.onStep?.(done, calls);
    });
    const { evidence, violations } = await conclude(world, calls);
    const refused = countAnswers(evidence, 'notRetryable');
    return {
      name: 'retry races',
      tally: tallyOf(evidence),
      violations: [...violations, ...retryFaults(evidence, ids)],
      seen: { 'granted a retry': countAnswers(evidence, 'retried'), 'refused a retry': refused },
      note: `${calls} calls, ${crowd} people each: ${refused} refused`,
    };
  } finally {
    await world.stop();
  }
};
