// npm run conformance: holds any server, ours or the real one, to what the platform relies on.
import { parseArgs } from 'node:util';
import { runSuites, suites } from './suites.js';

const lines = suites.map(({ engine, example, credentials, warning }) => {
  const needs = credentials.length === 0 ? '' : `with ${credentials.join(', ')} in the environment`;
  const notes = [needs, warning].filter(Boolean).map((note) => `\n${' '.repeat(16)}${note}`);
  return `  --${engine.padEnd(12)}<url>, such as ${example}${notes.join('')}`;
});

const help = `npm run conformance -- [options]

Runs the engines' conformance suites through the official client libraries: against the servers that are named here, or,
when none is, against the stand-ins of deploy/sandbox. What a suite makes it removes again.

${lines.join('\n')}
  --only <regex>  only tests with such a name
  --help          this text

For example:  npm run conformance -- --eventstore esdb://127.0.0.1:2113?tls=false --mongodb mongodb://127.0.0.1:27017
`;

const strings = Object.fromEntries(
  [...suites.map(({ engine }) => engine), 'only'].map((name) => [name, { type: 'string' as const }]),
);

const parse = (): Readonly<Record<string, string | boolean | undefined>> => {
  try {
    return parseArgs({ options: { ...strings, help: { type: 'boolean' } } }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    return process.exit(2);
  }
};

const values = parse();
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const given = suites.flatMap((suite) => {
  const url = values[suite.engine];
  return typeof url === 'string' ? [{ ...suite, url }] : [];
});
const missing = given.flatMap(({ credentials }) => credentials.filter((name) => !process.env[name]));
if (missing.length > 0) {
  process.stderr.write(`Set ${missing.join(', ')} in the environment: the server asks for them.\n`);
  process.exit(2);
}
const { passed } = await runSuites({
  engines: (given.length > 0 ? given : suites).map(({ engine }) => engine),
  variables: Object.fromEntries(given.map(({ variable, url }) => [variable, url])),
  only: typeof values.only === 'string' ? values.only : undefined,
});
process.exit(passed ? 0 : 1);
