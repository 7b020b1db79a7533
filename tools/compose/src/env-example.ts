// .env.example: every variable that somebody may set, folded from the schemas that read them.
import { ComposeEnv, SandboxEnv, ToolEnv } from './other-variables.js';
import { processes } from './processes.js';
import { type Taken, takenByCompose } from './taken-variables.js';
import { type Variable, variablesOf } from './variables.js';

interface Section {
  readonly title: string;
  readonly variables: readonly Variable[];
}

const operatorsOnly = ({ testOnly }: Variable): boolean => testOnly !== true;

const readers = new Map<string, string[]>();
for (const { name, env } of processes)
  for (const variable of Object.keys(env.shape))
    readers.set(variable, [...(readers.get(variable) ?? []), name]);

const isShared = ({ name }: Variable): boolean => (readers.get(name)?.length ?? 0) > 1;

const shared = (): readonly Variable[] => {
  const byName = new Map<string, Variable>();
  for (const { env } of processes)
    for (const variable of variablesOf(env)) {
      // as the process says that cannot do without it
      const isTold = byName.get(variable.name)?.isRequired === true;
      if (isShared(variable) && !isTold) byName.set(variable.name, variable);
    }
  return [...byName.values()];
};

const sections = (): readonly Section[] => [
  { title: 'docker-compose.yml, for the engines that it runs', variables: variablesOf(ComposeEnv) },
  { title: 'Read by more than one process', variables: shared() },
  ...processes.map(({ name, env }) => ({
    title: name === 'provision' ? 'provision, which prepares the engines' : name,
    variables: variablesOf(env).filter((variable) => !isShared(variable)),
  })),
  {
    title:
      'npm start; it also uses an engine that NATS_URL, EVENTSTORE_URL, MONGODB_URL or LIVEKIT_URL names',
    variables: variablesOf(SandboxEnv).filter(({ name }) => !readers.has(name)),
  },
  { title: 'Commands of the repository', variables: variablesOf(ToolEnv) },
];

const factsOf = (variable: Variable, taken: Taken | undefined): readonly string[] => {
  const { name, isRequired, secret, otherwise, make } = variable;
  const who = readers.get(name) ?? [];
  const usual = taken?.otherwise || otherwise;
  return [
    ...(isShared(variable) ? [`Read by ${who.length === processes.length ? 'all' : who.join(', ')}.`] : []),
    ...(who.length > 0 && taken === undefined ? ['docker-compose.yml sets it itself.'] : []),
    ...(isRequired ? ['Required.'] : []),
    ...(secret ? ['Secret.'] : []),
    ...(usual ? [`${usual === otherwise ? 'Default' : 'In docker-compose.yml by default'}: ${usual}`] : []),
    ...(make === undefined ? [] : [`Make one: ${make}`]),
  ];
};

const render = (variable: Variable, taken: Taken | undefined): string => {
  const facts = factsOf(variable, taken);
  return [
    `# ${variable.about}`,
    ...(facts.length === 0 ? [] : [`# ${facts.join(' ')}`]),
    `${taken?.isRequired === true ? '' : '#'}${variable.name}=${variable.otherwise ?? ''}`,
  ].join('\n');
};

const introduction = `# Every variable of the platform. Written by \`npm run gen\` from the schemas that read them; change those.
#
# For docker compose: sh deploy/compose/new-env.sh > .env makes a copy with a new value wherever one can be made.
# For \`npm start\`: set what you want to change in the environment; everything has a default there.
# An empty variable counts as absent. Never commit a filled-in copy.`;

/** @param composeText docker-compose.yml; it decides which variables an operator has to set */
export const envExample = (composeText: string): string => {
  const taken = takenByCompose(composeText);
  const blocks = sections()
    .map(({ title, variables }) => ({ title, variables: variables.filter(operatorsOnly) }))
    .filter(({ variables }) => variables.length > 0)
    .map(({ title, variables }) =>
      [`## ${title}`, ...variables.map((variable) => render(variable, taken.get(variable.name)))].join(
        '\n\n',
      ),
    );
  return `${[introduction, ...blocks].join('\n\n\n')}\n`;
};
