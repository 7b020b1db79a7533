// The crash sweep. Every crash point has a world of its own, and in it the provider fails in every way, one after the
// other.

import type { Cell, Cells } from './cell-shapes.js';
import { type CellsResult, runCells } from './cells.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import {
  type CrashPlan,
  nameOf,
  type PlannedCells,
  type SweepOptions,
  sweepWorlds,
  titleOf,
} from './sweep-plan.js';
import { branches, emptyTally, sumOf } from './tally.js';

interface Swept {
  readonly plan: CrashPlan;
  readonly result: CellsResult;
}

/** The required observations of all worlds together: every point that was asked for, and every branch of the protocol. */
const seenBy = (swept: readonly Swept[], isAll: boolean): Record<string, number> => {
  const sum = sumOf(swept.map(({ result }) => result.tally));
  const times = ({ plan, result }: Swept): number =>
    result.reached.filter((name) => name === nameOf(plan)).length;
  return {
    ...Object.fromEntries(swept.map((one) => [titleOf(one.plan), times(one)])),
    // A part of the sweep cannot have taken all of them.
    ...(isAll ? Object.fromEntries(branches.map((branch) => [branch, sum.branches[branch]])) : {}),
  };
};

/** The others go on, and this one counts as a failure. */
const brokenOff = ({ name }: Cells, error: unknown): CellsResult => ({
  name,
  complete: 0,
  reached: [],
  missed: [],
  tally: emptyTally,
  violations: [{ rule: 'broke off', about: error instanceof Error ? error.message : String(error) }],
});

const outcomeOf = (run: Run, swept: readonly Swept[], isAll: boolean): Outcome => {
  const complete = swept.reduce((sum, { result }) => sum + result.complete, 0);
  return {
    name: 'crash sweep',
    tally: sumOf(swept.map(({ result }) => result.tally)),
    violations: swept.flatMap(({ result: { name, violations } }) =>
      violations.map(({ rule, about }) => ({ rule, about: `${about} (${name}, seed ${run.seed})` })),
    ),
    seen: seenBy(swept, isAll),
    note: `${swept.length} worlds; the dialer came to where it had to die or sleep in ${complete} experiments`,
  };
};

/** A sweep takes long: a world that is over is told of at once. */
const newsOf = ({ plan, cells }: PlannedCells, { complete, tally, violations }: CellsResult): string => {
  const { calls, dials, rings } = tally;
  const told = `${complete}/${cells.length} reached, ${calls} calls, ${dials} dials, ${rings} rings`;
  const wrong = violations.slice(0, 3).map(({ rule, about }) => `; ${rule}: ${about}`);
  return `${titleOf(plan)}: ${told}, ${violations.length} violations${wrong.join('')}`;
};

export const runSweep = async (run: Run, options: SweepOptions): Promise<Outcome> => {
  const worlds = sweepWorlds(run.seed, options);
  const all = worlds.reduce((sum, { cells }) => sum + cells.length, 0);
  let done = 0;
  const onCell = ({ seed }: Cell): void => {
    done += 1;
    run.onStep?.(done, all, seed.slice(run.seed.length + 1));
  };
  const swept = await many(worlds, run.atOnce, async (cells) => {
    const going = runCells(run.engines, run.turns, cells, onCell);
    const result = await going.catch((error: unknown) => brokenOff(cells, error));
    run.onNews?.(newsOf(cells, result));
    return { plan: cells.plan, result };
  });
  return outcomeOf(run, swept, options.only === undefined || options.only === '');
};
