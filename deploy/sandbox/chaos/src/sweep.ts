// The crash sweep: every crash point with every way in which a provider fails, each in a world of its own.
import { type Cell, type CellResult, type Life, runCell } from './cell.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import { type CrashPlan, crashPlans, nameOf, providerModes } from './sweep-plan.js';
import { branches, emptyTally, sumOf } from './tally.js';

/** An attempt without evidence takes a minute to be given up, and the audit grants ten seconds more. */
const settleMs = 95_000;

const livesOf = ({ point, dialer, after }: CrashPlan): Life[] => [
  ...(after === undefined ? [] : [{ crashAt: after }]),
  ...(dialer === 'dies' ? [{ crashAt: point }, {}] : [{ stopAt: point }]),
];

export const sweepCells = (seed: string, recipients: number): Cell[] =>
  crashPlans.flatMap((plan, row) =>
    providerModes.map((mode, column) => ({
      name: `sweep-${row}-${column}`,
      lives: livesOf(plan),
      mode,
      isCampaign: plan.isCampaign ?? false,
      recipients,
      cancelShare: 0.2,
      seed: `${seed}/${nameOf(plan)}/${mode.name}`,
      settleMs,
    })),
  );

/** What all cells together have to have seen: every point of the plan, and every branch of the protocol. */
const seenBy = (results: readonly CellResult[], wanted: readonly string[]): Record<string, number> => {
  const sum = sumOf(results.map(({ tally }) => tally));
  const times = (point: string): number =>
    results.reduce((seen, { reached }) => seen + reached.filter((name) => name === point).length, 0);
  return {
    ...Object.fromEntries(wanted.map((point) => [point, times(point)])),
    ...Object.fromEntries(branches.map((branch) => [branch, sum.branches[branch]])),
  };
};

export const outcomeOf = (
  name: string,
  results: readonly CellResult[],
  wanted: readonly string[] | undefined,
): Outcome => {
  const seen = wanted === undefined ? {} : seenBy(results, wanted);
  const missed = results.reduce((sum, { missed }) => sum + missed.length, 0);
  return {
    name,
    tally: sumOf(results.map(({ tally }) => tally)),
    violations: results.flatMap(({ cell, violations }) =>
      violations.map(({ rule, about }) => ({ rule, about: `${about} (${cell.name}, seed ${cell.seed})` })),
    ),
    seen,
    note: `${results.length} worlds, ${missed} in which a point was not reached`,
  };
};

/** The others go on, and this one counts as a failure. */
const brokenOff = (cell: Cell, error: unknown): CellResult => ({
  cell,
  reached: [],
  missed: [],
  tally: emptyTally,
  violations: [{ rule: 'broke off', about: error instanceof Error ? error.message : String(error) }],
});

/** @param only cells whose seed contains this */
export const runSweep = async (
  run: Run,
  { recipients, only = '' }: { readonly recipients: number; readonly only?: string },
): Promise<Outcome> => {
  const cells = sweepCells(run.seed, recipients).filter(({ seed }) => seed.includes(only));
  let done = 0;
  const results = await many(cells, run.atOnce, async (cell) => {
    const result = await runCell(run.engines, run.turns, cell).catch((error: unknown) =>
      brokenOff(cell, error),
    );
    done += 1;
    run.onStep?.(done, cells.length);
    return result;
  });
  // A part of the sweep cannot have been everywhere.
  const wanted = only === '' ? crashPlans.map(nameOf) : undefined;
  return outcomeOf('crash sweep', results, wanted);
};
