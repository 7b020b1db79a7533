// npm run rolling: replaces each process of the platform under load, and says whether a client or a telephone noticed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { minReadySeconds } from '@parlance/kubernetes';
import { type Build, buildOf, lastRelease, present, type TemporaryBuild } from './processes/build.js';
import { startWorld } from './processes/world.js';
import { figuresOf, reportOf } from './report.js';
import { run } from './run.js';
import { faultsOf } from './verdict.js';

const help = `npm run rolling -- [options]

Rehearses a rolling upgrade. Runs several replicas of every process under a load of requests, text conversations and calls, and
replaces them one by one: the new replica becomes ready, then the old one drains and exits. The exit status is 1 if a request
failed, a stream broke, a call was dropped, a phone rang twice for one attempt, or a process logged an error.

  --rate <n>           requests per second (default: 200)
  --calls <n>          calls in progress (default: 50)
  --copies <n>         replicas of each process (default: 2)
  --visitors <n>       visitors in text conversations (default: 10)
  --mcp <n>            MCP clients (default: 3)
  --warm-up <seconds>  ramp-up time of the request rate (default: 30)
  --quiet <seconds>    baseline load before the first replacement (default: 30)
  --time-scale <n>     speed of simulated callees, relative to real time (default: 1)
  --settle <seconds>   time from ready to draining the old replica (default: ${minReadySeconds}, as in Kubernetes)
  --at-once <n>        processes replaced at the same time (default: 1)
  --previous [<ref>]   upgrades from another build to this one, and back: a Git tag, branch or commit (default: the
                       last release before this commit)
  --set <NAME=value>   sets a variable for every process; can be repeated
  --keep               keeps data and logs
  --json               prints the results as JSON
  --help               show this help
`;

const options = {
  rate: { type: 'string', default: '200' },
  calls: { type: 'string', default: '50' },
  copies: { type: 'string', default: '2' },
  visitors: { type: 'string', default: '10' },
  mcp: { type: 'string', default: '3' },
  'warm-up': { type: 'string', default: '30' },
  quiet: { type: 'string', default: '30' },
  settle: { type: 'string', default: String(minReadySeconds) },
  'at-once': { type: 'string', default: '1' },
  'time-scale': { type: 'string', default: '1' },
  previous: { type: 'string' },
  set: { type: 'string', multiple: true },
  keep: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n\n${help}`);
  return process.exit(2);
};

/** `--previous` alone means the last release; the parser wants a value for it. */
const withReference = (args: readonly string[]): string[] => {
  const index = args.indexOf('--previous');
  const next = args[index + 1];
  if (index < 0 || (next !== undefined && !next.startsWith('--'))) return [...args];
  const release = lastRelease() ?? fail('No release has a tag. Name a commit: --previous <ref>.');
  return args.toSpliced(index + 1, 0, release);
};

const parse = () => {
  try {
    return parseArgs({ args: withReference(process.argv.slice(2)), options }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};

const values = parse();

const number = (
  name:
    | 'rate'
    | 'calls'
    | 'copies'
    | 'visitors'
    | 'mcp'
    | 'warm-up'
    | 'quiet'
    | 'settle'
    | 'at-once'
    | 'time-scale',
): number => {
  const value = Number(values[name]);
  return Number.isInteger(value) && value > 0
    ? value
    : fail(`--${name} takes a whole number, not "${values[name]}".`);
};

const variableOf = (text: string): readonly [string, string] => {
  const [, name = '', value = ''] =
    /^([A-Z0-9_]+)=(.*)$/s.exec(text) ?? fail(`--set takes NAME=value, not "${text}".`);
  return [name, value];
};

if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const sizes = {
  ...{
    rate: number('rate'),
    calls: number('calls'),
    visitors: number('visitors'),
    mcpClients: number('mcp'),
  },
  ...{ warmUpSeconds: number('warm-up'), quietSeconds: number('quiet') },
  ...{ settleSeconds: number('settle'), atOnce: number('at-once') },
};
const copies = number('copies');
const timeScale = number('time-scale');
const variables = Object.fromEntries((values.set ?? []).map(variableOf));
const startedAt = performance.now();
const onProgress = (step: string): void => {
  const at = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4);
  process.stderr.write(`${at} s  ${step}\n`);
};

/** The build that runs first, and those that follow. */
const buildsOf = (previous: TemporaryBuild | undefined): { readonly first: Build; readonly legs: Build[] } =>
  previous === undefined
    ? { first: present, legs: [present] }
    : { first: previous, legs: [present, previous] };

const directory = mkdtempSync(join(tmpdir(), 'parlance-rolling-'));
let previous: TemporaryBuild | undefined;
let held = false;
try {
  if (values.previous !== undefined) {
    onProgress(`compiling ${values.previous}`);
    previous = buildOf(values.previous);
  }
  const { first, legs } = buildsOf(previous);
  const world = await startWorld({
    ...{ directory, build: first, copies, timeScale, drainDelayMs: 5_000, variables, onProgress },
  });
  try {
    const findings = await run(world, { ...sizes, legs, onProgress });
    const figures = figuresOf(findings, faultsOf(findings));
    held = figures.held;
    process.stdout.write(values.json ? `${JSON.stringify(figures, null, 2)}\n` : reportOf(figures));
  } finally {
    onProgress('stopping');
    await world.stop();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  previous?.remove();
  if (values.keep) process.stderr.write(`data and logs: ${directory}\n`);
  else rmSync(directory, { recursive: true, force: true });
}
process.exit(held ? 0 : 1);
