// What every kind of experiment is given and gives back.
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
  /** Told after every step, of how many there are, and what is being done. */
  readonly onStep?: (done: number, all: number, doing?: string) => void;
  /** Told what is known before everything is over. */
  readonly onNews?: (line: string) => void;
}

export interface Outcome {
  readonly name: string;
  readonly tally: Tally;
  readonly violations: readonly Violation[];
  /** What must be seen once in a run, and how often it was. */
  readonly seen: Readonly<Record<string, number>>;
  /** For a table, beside the tally. */
  readonly note: string;
}

/** What was never seen: a run that has not been there proves nothing about it. */
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
