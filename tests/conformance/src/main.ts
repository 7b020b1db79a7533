// npm run conformance: tests any server, a stand-in or a real one, for the behaviour that the platform relies on.
import { parseArgs } from 'node:util';
import { realEngines } from './real-engines.js';
import { runReal } from './real-run.js';
import { runSuites, suites } from './suites.js';

const lines = suites.map(({ engine, example, credentials, warning }) => {
  const needs = credentials.length === 0 ? '' : `with ${credentials.join(', ')} in the environment`;
  const notes = [needs, warning].filter(Boolean).map((note) => `\n${' '.repeat(16)}${note}`);
  return `  --${engine.padEnd(12)}<url>, such as ${example}${notes.join('')}`;
});
const withRealEngines = [...new Set(realEngines.map(({ engine }) => engine))];

const help = `npm run conformance -- [options] [engine ...]

Runs the conformance suite of each engine through its official client library: against the given servers; with --real,
against every real engine that is installed; otherwise against the stand-ins in sandbox/fakes, and the NATS and PostgreSQL
that npm start uses. Every suite cleans up after itself.

${lines.join('\n')}
  --real          starts each real engine from the PATH, or in a container if Docker is running, on free ports in a temporary
                  folder, and reports its version. To select engines, append: ${withRealEngines.join(', ')}
  --only <regex>  only tests whose name matches
  --help          show this help

The exit status is 1 if a suite failed. A missing or outdated engine is reported, but is not a failure.

Examples:     npm run conformance -- --eventstore esdb://127.0.0.1:2113?tls=false --mongodb mongodb://127.0.0.1:27017
              npm run conformance -- --real s3 mongodb
`;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  return process.exit(2);
};

const strings = Object.fromEntries(
  [...suites.map(({ engine }) => engine), 'only'].map((name) => [name, { type: 'string' as const }]),
);

const parse = () => {
  try {
    const options = { ...strings, help: { type: 'boolean' }, real: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const all: Readonly<Record<string, string | boolean | undefined>> = values;
    return { values: all, positionals };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
};

const { values, positionals } = parse();
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const only = typeof values.only === 'string' ? values.only : undefined;
const given = suites.flatMap((suite) => {
  const url = values[suite.engine];
  return typeof url === 'string' ? [{ ...suite, url }] : [];
});
const unknown = positionals.filter((engine) => !withRealEngines.includes(engine));
if (unknown.length > 0) fail(`No real engine is called ${unknown.join(', ')}.\n\n${help}`);
if (positionals.length > 0 && !values.real) fail('Engines are named behind --real.');
if (values.real && given.length > 0)
  fail('Either --real finds the servers, or their URLs are given, not both.');

if (values.real) {
  const say = (text: string): void => void process.stdout.write(text);
  process.exit((await runReal({ engines: positionals, only, say })) ? 0 : 1);
}
const missing = given.flatMap(({ credentials }) => credentials.filter((name) => !process.env[name]));
if (missing.length > 0) fail(`Set ${missing.join(', ')} in the environment: the server asks for them.`);
const { passed } = await runSuites({
  engines: (given.length > 0 ? given : suites).map(({ engine }) => engine),
  variables: Object.fromEntries(given.map(({ variable, url }) => [variable, url])),
  only,
});
process.exit(passed ? 0 : 1);
