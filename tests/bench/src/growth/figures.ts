// The cost of an attempt as medians over rounds, and the statements that cost more beside more history.
import { percentile } from '../calls/requests.js';
import { sumOf } from '../harness/processor-time.js';
import type { StatementUses } from '../harness/statements.js';

export interface AttemptCost {
  readonly attempts: number;
  /** Per attempt, by process. */
  readonly processorMs: Readonly<Record<string, number>>;
  /** Of all attempts together. */
  readonly statements: StatementUses;
}

export interface GrowthRow {
  readonly campaigns: number;
  readonly processorMs: Readonly<Record<string, number>>;
  readonly allMs: number;
  /** Statements per attempt. */
  readonly statements: number;
  /** Blocks of Postgres per attempt. */
  readonly blocks: number;
}

export interface GrownStatement {
  readonly text: string;
  /** Blocks per attempt beside the smallest and the largest history. */
  readonly before: number;
  readonly after: number;
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

const perAttempt = (
  { attempts, statements }: AttemptCost,
  quantity: 'calls' | 'blocks',
  text?: string,
): number => {
  const uses = text === undefined ? [...statements.values()] : [statements.get(text)];
  return uses.reduce((sum, use) => sum + (use?.[quantity] ?? 0), 0) / attempts;
};

export const rowOf = (campaigns: number, costs: readonly AttemptCost[]): GrowthRow => {
  const processes = [...new Set(costs.flatMap(({ processorMs }) => Object.keys(processorMs)))];
  const medianMs = (process: string): number =>
    median(costs.map(({ processorMs }) => processorMs[process] ?? 0));
  return {
    campaigns,
    processorMs: Object.fromEntries(processes.map((process) => [process, medianMs(process)])),
    allMs: median(costs.map(({ processorMs }) => sumOf(processorMs))),
    statements: median(costs.map((cost) => perAttempt(cost, 'calls'))),
    blocks: median(costs.map((cost) => perAttempt(cost, 'blocks'))),
  };
};

/** Those that read at least half a block more per attempt, by the difference. */
export const statementsThatGrew = (
  smallest: readonly AttemptCost[],
  largest: readonly AttemptCost[],
): GrownStatement[] => {
  const texts = new Set(largest.flatMap(({ statements }) => [...statements.keys()]));
  const blocks = (costs: readonly AttemptCost[], text: string): number =>
    median(costs.map((cost) => perAttempt(cost, 'blocks', text)));
  return [...texts]
    .map((text) => ({ text, before: blocks(smallest, text), after: blocks(largest, text) }))
    .filter(({ before, after }) => after - before >= 0.5)
    .sort((a, b) => b.after - b.before - (a.after - a.before));
};
