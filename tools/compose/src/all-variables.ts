// Every variable that somebody may set, folded from the schemas that read them, with the processes that read each.
import { ComposeEnv, SandboxEnv, ToolEnv } from './other-variables.js';
import { processes, runtimes, secrets } from './processes.js';
import { type Variable, variablesOf } from './variables.js';

export interface Section {
  readonly title: string;
  readonly variables: readonly Variable[];
}

const readers = new Map<string, string[]>();
for (const { name, env } of [...processes, ...runtimes])
  for (const variable of Object.keys(env.shape))
    readers.set(variable, [...(readers.get(variable) ?? []), name]);

/** Processes that read a variable under its own name. `secrets` reads every credential, on behalf of the engines. */
export const readersOf = ({ name }: Variable): readonly string[] => readers.get(name) ?? [];

export const isReadByAll = (variable: Variable): boolean =>
  processes.every(({ name }) => readersOf(variable).includes(name));

const isShared = (variable: Variable): boolean => readersOf(variable).length > 1;

const shared = (): readonly Variable[] => {
  const byName = new Map<string, Variable>();
  for (const { env } of [...processes, ...runtimes])
    for (const variable of variablesOf(env)) {
      // as the process says that cannot do without it
      const isKnown = byName.get(variable.name)?.isRequired === true;
      if (isShared(variable) && !isKnown) byName.set(variable.name, variable);
    }
  return [...byName.values()];
};

const composeNames = new Set(Object.keys(ComposeEnv.shape));

/** In the order in which people look for them. */
export const sections = (): readonly Section[] =>
  [
    { title: 'docker-compose.yml and the engines that it runs', variables: variablesOf(ComposeEnv) },
    { title: 'Read by more than one process', variables: shared() },
    ...[...processes, secrets, ...runtimes].map(({ name, env }) => ({
      title: name,
      variables: variablesOf(env).filter(
        (variable) =>
          !isShared(variable) &&
          !composeNames.has(variable.name) &&
          (name !== secrets.name || readersOf(variable).length === 0),
      ),
    })),
    {
      title: '`npm start`',
      variables: variablesOf(SandboxEnv).filter((variable) => readersOf(variable).length === 0),
    },
    { title: 'Commands of the repository', variables: variablesOf(ToolEnv) },
  ]
    .map(({ title, variables }) => ({
      title,
      variables: variables.filter(({ testOnly }) => testOnly !== true),
    }))
    .filter(({ variables }) => variables.length > 0);

export const allVariables = (): readonly Variable[] => sections().flatMap(({ variables }) => variables);
