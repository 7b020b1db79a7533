// Makes all checks that a set of processes calls for, side by side. A check that hangs or fails is a finding of its own, and
// hides no other.

import { clockFindings, clocks } from '../clocks/clocks.js';
import { causeInWords } from '../probe/causes.js';
import type { Check, ClockReading, FindingKind, Looking, Machine, Place, Sighting } from '../probe/check.js';
import { thisMachine } from '../probe/machine.js';
import type { Finding, Looked, Report } from '../report/report.js';
import { hidingSecretsOf } from './hiding.js';

export interface DiagnoseOptions {
  readonly places: readonly Place[];
  readonly checks: readonly Check[];
  readonly machine?: Machine;
  /** Checks that place a call look, too. */
  readonly placesCalls?: boolean;
  /** Called when a check has ended. */
  readonly onProgress?: (done: number, all: number, check: string) => void;
}

/** One check, for all places with the same variables for it. */
interface Task {
  readonly check: Check;
  readonly place: Place;
  readonly processes: readonly string[];
}

interface Outcome {
  readonly findings: readonly Finding[];
  readonly looked: Looked;
  readonly clocks: readonly ClockReading[];
}

const usualLimitMs = 10_000;

const variablesOf = ({ variables }: Place): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );

/** Places with the same key get the same answer. */
const keyOf = ({ name, needs, uses = [] }: Check, { variables }: Place): string =>
  JSON.stringify([name, ...[...needs, ...uses].map((variable) => variables[variable])]);

const isFor = ({ of, needs }: Check, { process, variables }: Place): boolean =>
  (of === undefined || of === process) && needs.every((variable) => Boolean(variables[variable]));

/** The checks to run: one task for all places with the same answer, with the processes that share it. */
export const tasksOf = (places: readonly Place[], checks: readonly Check[]): readonly Task[] => {
  const tasks = new Map<string, Task>();
  for (const check of checks)
    for (const place of places) {
      if (!isFor(check, place)) continue;
      const key = keyOf(check, place);
      const known = tasks.get(key);
      tasks.set(key, { check, place, processes: [...(known?.processes ?? []), place.process] });
    }
  return [...tasks.values()];
};

const codeOf = ({ name }: Check, suffix: string): string =>
  `${name.replaceAll('-', '_').toUpperCase()}_${suffix}`;

/** The findings that any check can have besides its own. */
export const ownTroubles = (
  check: Check,
): Readonly<Record<'silent' | 'failed', FindingKind & { readonly code: string }>> => ({
  silent: {
    code: codeOf(check, 'SILENT'),
    severity: 'broken',
    says: 'The check did not come to an end.',
    advice:
      'Something on the way takes connections and does not answer. Look at its processor, its disk and the network between.',
  },
  failed: {
    code: codeOf(check, 'CHECK_FAILED'),
    severity: 'broken',
    says: 'The check itself failed.',
    advice: 'Read the error. Run the doctor again, and report the error if it stays.',
  },
});

const ranOut = Symbol('ran out of time');

const within = async (limitMs: number, work: Promise<void>): Promise<typeof ranOut | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof ranOut>((resolve) => {
    timer = setTimeout(() => resolve(ranOut), limitMs);
  });
  return Promise.race([work.then(() => undefined), limit]).finally(() => clearTimeout(timer));
};

const run = async ({ check, place, processes }: Task, machine: Machine): Promise<Outcome> => {
  const hide = hidingSecretsOf(place.variables);
  const [findings, notes, readings]: [Finding[], string[], ClockReading[]] = [[], [], []];
  const add = (code: string, kind: FindingKind, { subject, seen }: Sighting): void => {
    const { severity, says, advice, link } = kind;
    findings.push({
      ...{
        code,
        severity,
        check: check.name,
        processes,
        subject: hide(subject),
        says,
        seen: hide(seen),
        advice,
      },
      ...(link === undefined ? {} : { link }),
    });
  };
  const over = new AbortController();
  const looking: Looking = {
    ...{ place, machine, variables: variablesOf(place), signal: over.signal },
    found: (code, sighting) => {
      const kind = check.findings[code];
      if (kind === undefined) throw new Error(`the check ${check.name} does not declare ${code}`);
      if (!over.signal.aborted) add(code, kind, sighting);
    },
    note: (text) => void (over.signal.aborted || notes.push(hide(text))),
    clock: (source, time, askedAt, roundingMs = 0) => {
      const answeredAt = machine.now();
      const withinMs = (answeredAt - askedAt + roundingMs) / 2;
      const aheadMs = time.getTime() + roundingMs / 2 - (askedAt + answeredAt) / 2;
      readings.push({ source, aheadMs, withinMs });
    },
  };
  const startedAt = performance.now();
  const { silent, failed } = ownTroubles(check);
  const limitMs = check.limitMs ?? usualLimitMs;
  try {
    const end = await within(limitMs, check.look(looking));
    const seen = `There was no end after ${limitMs / 1_000} seconds.`;
    if (end === ranOut) add(silent.code, silent, { subject: check.name, seen });
  } catch (error) {
    add(failed.code, failed, { subject: check.name, seen: causeInWords(error) });
  }
  over.abort();
  const tookMs = Math.round(performance.now() - startedAt);
  return { findings, clocks: readings, looked: { check: check.name, processes, tookMs, notes } };
};

const byWeight = (one: Finding, other: Finding): number =>
  Number(other.severity === 'broken') - Number(one.severity === 'broken') ||
  one.code.localeCompare(other.code);

const ofClocks = (outcomes: readonly Outcome[], processes: readonly string[]): Finding[] =>
  clockFindings(outcomes.flatMap(({ clocks: readings }) => readings)).map(({ code, ...sighting }) => {
    const kind = clocks.findings[code];
    if (kind === undefined) throw new Error(`the check of clocks does not declare ${code}`);
    return { code, check: clocks.name, processes, ...kind, ...sighting };
  });

/** Never rejects because of a broken engine. */
export const diagnose = async (options: DiagnoseOptions): Promise<Report> => {
  const { places, machine = thisMachine, placesCalls = false, onProgress = () => undefined } = options;
  const checks = options.checks.filter(({ onlyWhenAsked }) => onlyWhenAsked === undefined || placesCalls);
  const startedAt = performance.now();
  const lookedAt = new Date(machine.now()).toISOString();
  const tasks = tasksOf(places, checks);
  await Promise.all(tasks.map(({ check }) => check.load?.()));
  let done = 0;
  const outcomes = await Promise.all(
    tasks.map(async (task) => {
      const outcome = await run(task, machine);
      done += 1;
      onProgress(done, tasks.length, task.check.name);
      return outcome;
    }),
  );
  const processes = places.map(({ process }) => process);
  const findings = [...outcomes.flatMap((outcome) => outcome.findings), ...ofClocks(outcomes, processes)];
  return {
    healthy: findings.length === 0,
    lookedAt,
    tookMs: Math.round(performance.now() - startedAt),
    findings: findings.sort(byWeight),
    looked: outcomes.map(({ looked }) => looked),
  };
};
