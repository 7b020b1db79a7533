// The input and the outcome of every kind of experiment.
import type { Violation } from './audit.js';
import type { ChaosEngines } from './engines.js';
import { emptyTally, type Tally } from './tally.js';
import type { Turns } from './turns.js';

export interface Run {
  readonly engines: ChaosEngines;
  readonly seed: string;
  /** Worlds that exist at the same time. */
  readonly atOnce: number;
  /** Of these, as many as may be busy. */
  readonly turns: Turns;
  /** Called after every step, with the number of all steps and the next action. */
  readonly onStep?: (done: number, all: number, doing?: string) => void;
  /** Told partial results before everything is over. */
  readonly onNews?: (line: string) => void;
}

export interface Outcome {
  readonly name: string;
  readonly tally: Tally;
  readonly violations: readonly Violation[];
  /** Branches that must be seen once in a run, and their counts. */
  readonly seen: Readonly<Record<string, number>>;
  /** For a table, beside the tally. */
  readonly note: string;
}

/** The branches that the run never saw: a run without them proves nothing about them. */
export const neverSeen = ({ seen }: Outcome): string[] =>
  Object.entries(seen).flatMap(([what, times]) => (times === 0 ? [what] : []));

/** The other experiments go on, and this one counts as a failure. */
export const brokenOff = (name: string, error: unknown): Outcome => ({
  name,
  tally: emptyTally,
  violations: [{ rule: 'broke off', about: error instanceof Error ? error.message : String(error) }],
  seen: {},
  note: 'broke off',
});

/** True when nothing is wrong and everything was there. */
export const passed = (outcome: Outcome): boolean =>
  outcome.violations.length === 0 && neverSeen(outcome).length === 0;
