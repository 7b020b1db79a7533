// The cost of an attempt by size of the history, as ratios to the smallest, beside the goal.
import { met, showTable } from '../harness/report.js';
import type { GrownStatement, GrowthRow } from './figures.js';
import { callsPerCampaign, tolerance } from './sizes.js';

const shownStatements = 8;
const shownCharacters = 90;

export const showGrowth = (rows: readonly GrowthRow[]): void => {
  const [smallest] = rows;
  if (smallest === undefined) return;
  const processes = Object.keys(smallest.processorMs);
  const ratio = (value: number, base: number): string => (value / base).toFixed(2);
  const isFlat = (value: number, base: number): boolean => value / base <= 1 + tolerance;
  showTable(
    [
      ...['old campaigns', 'old calls', ...processes.map((name) => `${name} ms`), 'all ms', 'ratio'],
      ...['SQL', 'ratio', 'blocks', 'ratio', `processor and SQL within ${tolerance * 100} %`],
    ],
    rows.map(({ campaigns, processorMs, allMs, statements, blocks }) => [
      ...[campaigns, campaigns * callsPerCampaign].map((count) => count.toLocaleString('en')),
      ...processes.map((name) => (processorMs[name] ?? 0).toFixed(1)),
      ...[allMs.toFixed(1), ratio(allMs, smallest.allMs)],
      ...[statements.toFixed(1), ratio(statements, smallest.statements)],
      ...[blocks.toFixed(0), ratio(blocks, smallest.blocks)],
      met(isFlat(allMs, smallest.allMs) && isFlat(statements, smallest.statements)),
    ]),
  );
};

/** The statements behind a growth of blocks: an index one level deeper is a block more, a scan is many. */
export const showStatements = (grown: readonly GrownStatement[]): void => {
  if (grown.length === 0) return;
  showTable(
    ['statement that reads more blocks per attempt', 'smallest', 'largest'],
    grown
      .slice(0, shownStatements)
      .map(({ text, before, after }) => [
        text.replaceAll(/\s+/g, ' ').slice(0, shownCharacters),
        before.toFixed(1),
        after.toFixed(1),
      ]),
  );
};
