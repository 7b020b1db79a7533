// The rows of the tables of counts: medians over rounds, side by side.
import { percentile } from '../calls/requests.js';
import type { Counts } from '../harness/counts.js';
import type { CountedStatement } from '../harness/statement-log.js';

/** Counted for one unit of work, such as an attempt. */
export interface UnitCounts {
  readonly counts: Counts;
  readonly statements: readonly CountedStatement[];
}

/** A row has one cell for each side. */
export type CountRow = readonly [name: string, ...cells: string[]];

/** Fewer per unit are the idle work of the platform. */
const leastShown = 0.05;
/** A kind that a side does not count. */
const dash = '–';

const median = (values: readonly number[]): number => percentile(values, 0.5);
const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const shown = (counts: readonly number[]): string => (counts.length === 0 ? dash : median(counts).toFixed(2));

const presentIn = (counts: Counts, kind: string): readonly Readonly<Record<string, number>>[] => {
  const found = counts[kind];
  return found === undefined ? [] : [found];
};

/** For each kind a row of the sum, and one of each owner. @param sides the rounds of each side */
export const countRows = (sides: readonly (readonly UnitCounts[])[]): readonly CountRow[] => {
  const all = sides.flat();
  const kinds = [...new Set(all.flatMap(({ counts }) => Object.keys(counts)))].sort();
  return kinds.flatMap((kind) => {
    const roundsOf = sides.map((rounds) => rounds.flatMap(({ counts }) => presentIn(counts, kind)));
    const medianOf = (rounds: readonly Readonly<Record<string, number>>[], owner: string): number =>
      rounds.length === 0 ? 0 : median(rounds.map((counts) => counts[owner] ?? 0));
    const mostOf = (owner: string): number => Math.max(...roundsOf.map((rounds) => medianOf(rounds, owner)));
    const owners = [...new Set(roundsOf.flat().flatMap((counts) => Object.keys(counts)))]
      .filter((owner) => mostOf(owner) >= leastShown)
      .sort((a, b) => mostOf(b) - mostOf(a));
    return [
      [kind, ...roundsOf.map((rounds) => shown(rounds.map(sumOf)))] as const,
      ...owners.map(
        (owner) =>
          [
            `  ${owner}`,
            ...roundsOf.map((rounds) => shown(rounds.map((counts) => counts[owner] ?? 0))),
          ] as const,
      ),
    ];
  });
};

/** The statements of which there are most, by application and text. */
export const statementRows = (
  sides: readonly (readonly UnitCounts[])[],
  limit: number,
): readonly CountRow[] => {
  const nameOf = ({ application, text }: CountedStatement): string => `${application}: ${text}`;
  const medians = sides.map((rounds) => {
    const found = rounds.map(({ statements }) => new Map(statements.map((one) => [nameOf(one), one.count])));
    const names = new Set(found.flatMap((counts) => [...counts.keys()]));
    return new Map([...names].map((name) => [name, median(found.map((counts) => counts.get(name) ?? 0))]));
  });
  const names = [...new Set(medians.flatMap((counts) => [...counts.keys()]))];
  const mostOf = (name: string): number => Math.max(...medians.map((counts) => counts.get(name) ?? 0));
  return names
    .sort((a, b) => mostOf(b) - mostOf(a))
    .slice(0, limit)
    .map((name) => [name, ...medians.map((counts) => (counts.get(name) ?? 0).toFixed(2))] as const);
};
