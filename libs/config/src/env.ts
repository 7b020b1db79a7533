// Reads the environment of a process, once, against a schema. Names of bad variables are told, values never are.
import { z } from 'zod';
import type { ConfigProblem, EnvSource } from './config-problem.js';
import { type Derivation, derivationOf, processOf } from './derivation.js';
import { RootSecret, readRootSecret } from './root-secret.js';
import { StartRefusal } from './start-refusal.js';
import { unreadVariables } from './unread-variables.js';
import { variableNames } from './variable-names.js';

/** The environment does not fit the schema. The message lists variables and holds no values. */
export class ConfigError extends StartRefusal {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(
      `Bad configuration: ${problems.map(({ variable, problem }) => `${variable} ${problem}`).join('; ')}. docs/configuration.md describes every variable.`,
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
  { schema, hasRoot }: { readonly schema: z.ZodObject; readonly hasRoot: boolean },
): ConfigProblem => {
  const variable = issue.path[0];
  const remedy = typeof variable === 'string' ? remedyOf(schema.shape[variable]) : '';
  if (typeof variable === 'string' && given[variable] === undefined) {
    const mayDerive = !hasRoot && derivationOf(schema.shape[variable]) !== undefined;
    return { variable, problem: `is missing${remedy}${mayDerive ? ', or set ROOT_SECRET' : ''}` };
  }
  const quotesValue = Object.values(given).some((value) => value.length > 2 && issue.message.includes(value));
  return {
    variable: String(variable ?? 'environment'),
    problem: `${quotesValue ? 'is not valid' : `is not valid (${issue.message})`}${remedy}`,
  };
};

/** The variables of a schema that are set; an empty one counts as absent. */
const setVariables = (schema: z.ZodObject, source: EnvSource): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = source[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );

interface Filled {
  readonly given: Readonly<Record<string, string>>;
  readonly hasRoot: boolean;
  readonly problems: readonly ConfigProblem[];
}

const openProblem = (variable: string): ConfigProblem => ({
  variable,
  problem: 'has an empty password: write the password after the colon, or set ROOT_SECRET to have it derived',
});

/** Without a root secret, an address that leaves its password empty would be refused by the engine, and later. */
const refuseOpen = (derivations: readonly Derived[], given: Filled['given']): readonly ConfigProblem[] =>
  derivations
    .filter(({ variable, derivation }) => derivation.isOpen?.(given[variable] ?? '') === true)
    .map(({ variable }) => openProblem(variable));

interface Derived {
  readonly variable: string;
  readonly derivation: Derivation;
}

/**
 * Derives from the root secret what is not set on its own. The result has the root secret only where something was derived
 * from it, so a process whose credentials are all set neither keeps it nor depends on it.
 */
const deriveMissing = (schema: z.ZodObject, set: Filled['given'], source: EnvSource): Filled => {
  const derivations = Object.entries(schema.shape).flatMap(([variable, field]): readonly Derived[] => {
    const derivation = derivationOf(field);
    return derivation === undefined ? [] : [{ variable, derivation }];
  });
  if (derivations.length === 0) return { given: set, hasRoot: false, problems: [] };
  const { ROOT_SECRET: _, ...given } = set;
  const root = readRootSecret(source);
  if (root === undefined) return { given, hasRoot: false, problems: refuseOpen(derivations, given) };
  if (!(root instanceof RootSecret)) return { given, hasRoot: true, problems: [root] };
  const process = processOf(schema);
  const derived = derivations.flatMap(({ variable, derivation }) => {
    const value = derivation.fill({ root, variable, given, process });
    return value === undefined ? [] : [[variable, value] as const];
  });
  const keepsRoot = derived.length > 0 && 'ROOT_SECRET' in schema.shape;
  return {
    given: {
      ...given,
      ...Object.fromEntries(derived),
      ...(keepsRoot ? { ROOT_SECRET: root.reveal() } : {}),
    },
    hasRoot: true,
    problems: [],
  };
};

/** An environment with the variables of a schema that are derived in it; as it is, where its root secret is none. */
export const derivedVariables = (schema: z.ZodObject, source: EnvSource): EnvSource => ({
  ...source,
  ...deriveMissing(schema, setVariables(schema, source), source).given,
});

const parseEnv = <T extends z.ZodObject>(schema: T, source: EnvSource) => {
  const { given, hasRoot, problems } = deriveMissing(schema, setVariables(schema, source), source);
  const parsed = schema.safeParse(given);
  if (parsed.success && problems.length === 0) return { data: parsed.data, problems };
  const refused = (parsed.error?.issues ?? [])
    .map((issue) => explain(issue, given, { schema, hasRoot }))
    // A variable that a bad root secret could not derive is not missing for a reason of its own.
    .filter(({ variable }) => problems.length === 0 || derivationOf(schema.shape[variable]) === undefined);
  return { problems: [...problems, ...refused] };
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

/** The environment as it is, for variables whose names an operator chooses. */
export const environmentOfProcess = (): EnvSource => process.env;

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
