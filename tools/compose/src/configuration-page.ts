// docs/configuration.md: the reference of every variable.
import { isReadByAll, readersOf, sections } from './all-variables.js';
import { type Taken, takenByCompose } from './taken-variables.js';
import type { Variable } from './variables.js';

const introduction = `# Configuration

Written by \`npm run gen\` from the schemas that read the variables; change those. [.env.example](../.env.example) has the
few that most installations set. An empty variable counts as absent.

A variable with the value *derived* need not be set where there is a root secret: \`ROOT_SECRET\`, or \`ROOT_SECRET_FILE\` with the file
that holds it. Each is set on its own all the same, and then that value is used. \`docker compose\` makes the root secret at
its first start. \`credentials <process>\`, a command of the image, prints the derived values
([operations.md](operations.md#one-root-secret)).`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

const defaultOf = (variable: Variable, taken: Taken | undefined): string => {
  if (variable.isDerived === true) return 'derived';
  const compose = taken?.otherwise;
  const usual = compose === undefined || compose === '' ? variable.otherwise : compose;
  if (usual !== undefined && usual !== '')
    return usual === variable.otherwise ? `\`${usual}\`` : `\`${usual}\` with docker compose`;
  return variable.isRequired ? 'required' : '';
};

const rowOf = (variable: Variable, taken: Taken | undefined): string => {
  const who = readersOf(variable);
  const about = [
    variable.about,
    ...(variable.secret === true ? ['Secret.'] : []),
    ...(variable.make === undefined ? [] : [`Make one: \`${variable.make}\`.`]),
  ].join(' ');
  const readers = isReadByAll(variable) ? 'all' : who.join(', ');
  return `| \`${variable.name}\` | ${readers} | ${cell(defaultOf(variable, taken))} | ${cell(about)} |`;
};

/** @param compose texts of the compose files; they have defaults of their own */
export const configurationPage = (compose: readonly string[]) => {
  const taken = takenByCompose(compose.join('\n'));
  const tables = sections().map(({ title, variables }) =>
    [
      `## ${title}`,
      '',
      '| Variable | Read by | Default | Description |',
      '|---|---|---|---|',
      ...variables.map((variable) => rowOf(variable, taken.get(variable.name))),
    ].join('\n'),
  );
  return { path: 'docs/configuration.md', content: `${[introduction, ...tables].join('\n\n')}\n` };
};
