// The variables of a call: those that came with it, those of the initiation webhook, and those that its tools assigned.
import { isEmptyValue, withoutEmptyValues } from './placeholders.js';

type Variables = Readonly<Record<string, string>>;

/** Variables that tools may assign in one call; further names are left out. */
export const maxAssignedVariables = 64;

export interface VariablesOfCall {
  /** Came with the call, from a request or the row of a campaign. */
  readonly given: Variables;
  /** Answered by the initiation webhook. */
  readonly initiation: Variables;
  /** The newest value of each variable that a tool assigned. */
  readonly assigned: Variables;
}

/**
 * The values that hold. An assignment comes before what the call came with, and that before the initiation webhook. An empty
 * value gives way to any other.
 */
export const variablesOfCall = ({
  given,
  initiation,
  assigned,
}: VariablesOfCall): Record<string, string> => ({
  ...given,
  ...withoutEmptyValues(initiation),
  ...withoutEmptyValues(given),
  ...withoutEmptyValues(assigned),
});

/** A value that a tool gave a variable, and the moment. */
export interface AssignedValue {
  readonly value: string;
  /** The end of the tool's run, ISO 8601. */
  readonly at: string;
  readonly executionId: string;
}

type Assigned = Readonly<Record<string, AssignedValue>>;

const isNewer = (one: AssignedValue, known: AssignedValue): boolean =>
  one.at === known.at ? one.executionId > known.executionId : one.at > known.at;

/** What is assigned after one more run. Runs may be reported late and in any order: the one that ended last holds. */
export const assignedAfter = (
  known: Assigned,
  assignments: Variables,
  run: Pick<AssignedValue, 'at' | 'executionId'>,
): Assigned => {
  const next: Record<string, AssignedValue> = { ...known };
  for (const [name, value] of Object.entries(assignments)) {
    if (isEmptyValue(value)) continue;
    const before = Object.hasOwn(next, name) ? next[name] : undefined;
    const one = { value, ...run };
    const isRoom = before !== undefined || Object.keys(next).length < maxAssignedVariables;
    if (isRoom && (before === undefined || isNewer(one, before))) next[name] = one;
  }
  return next;
};

export const valuesOf = (assigned: Assigned): Record<string, string> =>
  Object.fromEntries(Object.entries(assigned).map(([name, { value }]) => [name, value]));

/** The end of a run of a tool. */
export const endOfRun = (startedAt: string, durationMs: number): string =>
  new Date(Date.parse(startedAt) + durationMs).toISOString();
