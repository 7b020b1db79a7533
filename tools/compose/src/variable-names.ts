// The names of all variables, as a file of libs/config: each process knows a misspelt name by them.
import { signalEnv } from '@parlance/config';
import { HealthEnv, WaitEnv } from '@parlance/provision';
import { ComposeEnv, SandboxEnv, ToolEnv } from './other-variables.js';
import { processes, runtimes, secrets } from './processes.js';

const schemas = [
  ...processes.map(({ env }) => env),
  secrets.env,
  ...runtimes.map(({ env }) => env),
  HealthEnv,
  WaitEnv,
  ComposeEnv,
  SandboxEnv,
  ToolEnv,
];

/** Every variable that a part of the platform reads. */
export const allVariableNames = (): readonly string[] =>
  [
    ...new Set([...schemas.flatMap((schema) => Object.keys(schema.shape)), ...Object.keys(signalEnv)]),
  ].toSorted();

/** Text of libs/config/src/variable-names.ts. */
export const variableNamesFile =
  (): string => `// Every variable that a process of the platform reads. Written by \`npm run gen\` from the schemas that read them; change those.
export const variableNames: readonly string[] = [
${allVariableNames()
  .map((name) => `  '${name}',`)
  .join('\n')}
];
`;
