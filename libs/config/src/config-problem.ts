// The environment of a process, and its possible errors.

export type EnvSource = Readonly<Record<string, string | undefined>>;

/** A variable that keeps the process from starting, with its error. */
export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}
