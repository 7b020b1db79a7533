// The crash sweep: every crash point in a world of its own, and in it every way in which a provider fails, one after the
// other.
import type { Cell, Life } from './cell.js';
import { type Cells, type CellsResult, runCells } from './cells.js';
import type { Outcome, Run } from './experiment.js';
import { many } from './many.js';
import { type CrashPlan, crashPlans, nameOf, providerModes, titleOf } from './sweep-plan.js';
import { branches, emptyTally, sumOf } from './tally.js';

/** An attempt without evidence takes a minute to be given up, and the audit grants ten seconds more. */
const settleMs = 95_000;
const cancelShare = 0.2;

const livesOf = ({ point, dialer, after }: CrashPlan): Life[] => [
  ...(after === undefined ? [] : [{ crashAt: after }]),
  ...(dialer === 'dies' ? [{ crashAt: point }, {}] : [{ stopAt: point }]),
];

interface SweepOptions {
  readonly recipients: number;
  /** Only cells whose seed contains this. */
  readonly only?: string;
}

const cellsOf = (plan: CrashPlan, seed: string, { recipients, only = '' }: SweepOptions): Cell[] =>
  providerModes
    .map((mode) => ({
      lives: livesOf(plan),
      mode,
      isCampaign: plan.isCampaign ?? false,
      isCampaignCancelled: plan.isCampaignCancelled ?? false,
      recipients,
      cancelShare,
      seed: `${seed}/${titleOf(plan)}/${mode.name}`,
    }))
    .filter((cell) => cell.seed.includes(only));

/** One world per crash plan of which something is wanted. */
export const sweepWorlds = (seed: string, options: SweepOptions): Cells[] =>
  crashPlans.flatMap((plan, index) => {
    const [first, ...others] = cellsOf(plan, seed, options);
    return first === undefined
      ? []
      : [{ name: `sweep-${index}`, cells: [first, ...others] as const, settleMs }];
  });

/** What all worlds together have to have seen: every point of the plan, and every branch of the protocol. */
const seenBy = (results: readonly CellsResult[], wanted: readonly string[]): Record<string, number> => {
  const sum = sumOf(results.map(({ tally }) => tally));
  const reached = results.flatMap((result) => result.reached);
  const times = (point: string): number => reached.filter((name) => name === point).length;
  return {
    ...Object.fromEntries(wanted.map((point) => [point, times(point)])),
    ...Object.fromEntries(branches.map((branch) => [branch, sum.branches[branch]])),
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

const outcomeOf = (run: Run, results: readonly CellsResult[], wanted: readonly string[]): Outcome => {
  const complete = results.reduce((sum, result) => sum + result.complete, 0);
  return {
    name: 'crash sweep',
    tally: sumOf(results.map(({ tally }) => tally)),
    violations: results.flatMap(({ name, violations }) =>
      violations.map(({ rule, about }) => ({ rule, about: `${about} (${name}, seed ${run.seed})` })),
    ),
    seen: wanted.length === 0 ? {} : seenBy(results, wanted),
    note: `${results.length} worlds; the dialer came to where it had to die or sleep in ${complete} experiments`,
  };
};

export const runSweep = async (run: Run, options: SweepOptions): Promise<Outcome> => {
  const worlds = sweepWorlds(run.seed, options);
  const all = worlds.reduce((sum, { cells }) => sum + cells.length, 0);
  let done = 0;
  const onCell = (): void => {
    done += 1;
    run.onStep?.(done, all);
  };
  const results = await many(worlds, run.atOnce, (cells) =>
    runCells(run.engines, run.turns, cells, onCell).catch((error: unknown) => brokenOff(cells, error)),
  );
  // A part of the sweep cannot have been everywhere.
  const isAll = options.only === undefined || options.only === '';
  return outcomeOf(run, results, isAll ? crashPlans.map(nameOf) : []);
};
