// Reads the environment of a process, once, against a schema. Names of bad variables are told, values never are.
import { z } from 'zod';
import type { ConfigProblem, EnvSource } from './config-problem.js';
import { StartRefusal } from './start-refusal.js';
import { unreadVariables } from './unread-variables.js';
import { variableNames } from './variable-names.js';

/** The environment does not fit the schema. The message lists variables and holds no values. */
export class ConfigError extends StartRefusal {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(
      `Bad configuration: ${problems.map(({ variable, problem }) => `${variable} ${problem}`).join('; ')}. .env.example describes every variable.`,
    );
  }
}

const commandOf = (field: unknown): unknown =>
  field instanceof z.ZodType ? z.globalRegistry.get(field)?.make : undefined;

/** The remedy for a variable, where its schema knows a command that makes a value. */
const remedyOf = (field: unknown): string => {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : undefined;
  const make = commandOf(field) ?? commandOf(inner);
  return typeof make === 'string' ? `: make one with \`${make}\`` : '';
};

// Messages of schemas come from this project or from zod, and describe the rule. One that quotes a value is cut to a word.
const explain = (
  issue: z.core.$ZodIssue,
  given: Readonly<Record<string, string>>,
  schema: z.ZodObject,
): ConfigProblem => {
  const variable = issue.path[0];
  const remedy = typeof variable === 'string' ? remedyOf(schema.shape[variable]) : '';
  if (typeof variable === 'string' && given[variable] === undefined)
    return { variable, problem: `is missing${remedy}` };
  const quotesValue = Object.values(given).some((value) => value.length > 2 && issue.message.includes(value));
  return {
    variable: String(variable ?? 'environment'),
    problem: `${quotesValue ? 'is not valid' : `is not valid (${issue.message})`}${remedy}`,
  };
};

const parseEnv = <T extends z.ZodObject>(schema: T, source: EnvSource) => {
  const given: Record<string, string> = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = source[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return { data: parsed.data, problems: [] };
  return { problems: parsed.error.issues.map((issue) => explain(issue, given, schema)) };
};

const parseOrRefuse = <T extends z.ZodObject>(
  schema: T,
  source: EnvSource,
  further: readonly ConfigProblem[],
): Readonly<z.output<T>> => {
  const { data, problems } = parseEnv(schema, source);
  if (data === undefined || further.length > 0) throw new ConfigError([...problems, ...further]);
  return Object.freeze(data);
};

/**
 * Parses the variables that the schema names; an empty variable counts as absent.
 * @throws ConfigError when one is missing or wrong
 */
export const loadEnv = <T extends z.ZodObject>(
  schema: T,
  source: EnvSource = process.env,
): Readonly<z.output<T>> => parseOrRefuse(schema, source, []);

/**
 * Refuses variables that were meant for the platform and that no process reads.
 * @throws ConfigError with each of them and the nearest name
 */
export const refuseUnread = (source: EnvSource = process.env): void => {
  const problems = unreadVariables(source, variableNames);
  if (problems.length > 0) throw new ConfigError(problems);
};

/**
 * `loadEnv` for a process at its start: it judges the whole environment.
 * @throws ConfigError when a variable is missing or wrong, or is meant for the platform and read by no process
 */
export const loadProcessEnv = <T extends z.ZodObject>(
  schema: T,
  source: EnvSource = process.env,
): Readonly<z.output<T>> =>
  parseOrRefuse(
    schema,
    source,
    unreadVariables(source, [...new Set([...variableNames, ...Object.keys(schema.shape)])]),
  );
