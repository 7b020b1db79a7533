// The environment of a process, and what can be wrong with it.

export type EnvSource = Readonly<Record<string, string | undefined>>;

/** A variable that keeps the process from starting, and what is wrong with it. */
export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}
