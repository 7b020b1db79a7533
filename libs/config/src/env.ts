// Reads the environment of a process, once, against a schema. Names of bad variables are told, values never are.
import type { z } from 'zod';

export type EnvSource = Readonly<Record<string, string | undefined>>;

/** A variable that keeps the process from starting, and what is wrong with it. */
export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** The environment does not fit the schema. The message lists variables and holds no values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(
      `Bad configuration: ${problems.map(({ variable, problem }) => `${variable} ${problem}`).join('; ')}`,
    );
  }
}

// Messages of schemas are ours or zod's and describe the rule; one that quotes a value is cut down to a word.
const explain = (issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): ConfigProblem => {
  const variable = issue.path[0];
  if (typeof variable === 'string' && given[variable] === undefined)
    return { variable, problem: 'is missing' };
  const quotesValue = Object.values(given).some((value) => value.length > 2 && issue.message.includes(value));
  return {
    variable: String(variable ?? 'environment'),
    problem: quotesValue ? 'is not valid' : `is not valid (${issue.message})`,
  };
};

/**
 * Parses the variables that the schema names; an empty variable counts as absent.
 * @throws ConfigError when one is missing or wrong
 */
export const loadEnv = <T extends z.ZodObject>(
  schema: T,
  source: EnvSource = process.env,
): Readonly<z.output<T>> => {
  const given: Record<string, string> = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = source[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  throw new ConfigError(parsed.error.issues.map((issue) => explain(issue, given)));
};
