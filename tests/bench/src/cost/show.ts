// Processor time and counts by unit of work, with the ratio of the two checkouts.
import { percentile } from '../calls/requests.js';
import { sumOf } from '../harness/processor-time.js';
import { showTable } from '../harness/report.js';
import { countRows, statementRows, type UnitCounts } from './count-rows.js';

/** Milliseconds by process, by unit of work. */
export type Costs = Readonly<Record<string, Readonly<Record<string, number>>>>;

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** @param measured the rounds of each checkout; with two, the last is divided by the first */
export const showCosts = (measured: ReadonlyMap<string, readonly Costs[]>): void => {
  const sides = [...measured];
  const [sample] = sides.at(-1)?.[1] ?? [];
  const works = Object.keys(sample ?? {});
  const processes = [...new Set(works.flatMap((work) => Object.keys(sample?.[work] ?? {})))];
  const medians = (rounds: readonly Costs[], work: string): number[] => [
    ...processes.map((name) => median(rounds.map((round) => round[work]?.[name] ?? 0))),
    median(rounds.map((round) => sumOf(round[work] ?? {}))),
  ];
  const rows = works.flatMap((work) => {
    const figures = sides.map(([, rounds]) => medians(rounds, work));
    const measuredRows = sides.map(([side], index) => [
      ...[work, side],
      ...(figures[index] ?? []).map((ms) => ms.toFixed(1)),
    ]);
    const [before, after] = figures;
    if (before === undefined || after === undefined) return measuredRows;
    const ratios = after.map((ms, index) => (ms / (before[index] ?? Number.NaN)).toFixed(2));
    return [...measuredRows, [work, 'ratio', ...ratios]];
  });
  showTable(['processor ms per', '', ...processes, 'all'], rows);
};

const shownStatements = 40;

/** @param measured the rounds of each checkout, by unit of work */
export const showCounts = (
  measured: ReadonlyMap<string, readonly Readonly<Record<string, UnitCounts>>[]>,
): void => {
  const names = [...measured.keys()];
  const works = [...new Set([...measured.values()].flat().flatMap((round) => Object.keys(round)))];
  for (const work of works) {
    const sides = [...measured.values()].map((rounds) => rounds.flatMap((round) => round[work] ?? []));
    showTable([`per ${work}`, ...names], countRows(sides));
    showTable([`statements per ${work}`, ...names], statementRows(sides, shownStatements));
  }
};
