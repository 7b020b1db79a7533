// npm run chaos: breaks a part of the platform in every way that was thought of, and says whether its promises held.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findLiveKit, type LiveKitBinaries, liveKitVersions } from '@parlance/engines';
import { findTelephones } from '@parlance/telephones';
import { dialingExperiments } from './dialing.js';
import { startChaosEngines } from './engines.js';
import { brokenOff, passed } from './experiment.js';
import { complaints, progressOf, reportOf, type Timed } from './report.js';
import { turnsOf } from './turns.js';

const help = `npm run chaos -- dialing [options]

Kills and freezes dialers and races requests against each other, with simulated phones, then compares what the phones saw
with what was recorded. The exit status is 1 if a guarantee was violated or a crash point was never reached.

  --only <names>       comma-separated: ${Object.keys(dialingExperiments).join(', ')} (default: all)
  --seed <text>        repeats an earlier run (default: a new seed, which is printed)
  --recipients <n>     sweep: calls per crash point and failure mode (default: 50)
  --cells <text>       sweep: only cells whose name contains this, such as "recover" or "/hang-after"
  --zombies <n>        dialers to freeze (default: 100)
  --races <n>          calls cancelled while they are answered (default: 2000)
  --cancels <n>        campaigns of 20 recipients cancelled while they dial (default: 200)
  --retries <n>        calls retried by 50 requests at once (default: 100)
  --keys <n>           Idempotency-Keys sent by 100 requests each while the gateway is killed (default: 20)
  --at-once <n>        environments at the same time (default: 20)
  --busy <n>           of these, how many start dialers and place calls (default: 3)
  --real-media         real LiveKit and SIP telephones, if installed; the defaults are then smaller: two environments, 8 calls
                       per cell, 40 races
  --keep               keeps the logs of the dialers
  --help               show this help
`;

const options = {
  only: { type: 'string' },
  seed: { type: 'string' },
  recipients: { type: 'string' },
  cells: { type: 'string', default: '' },
  zombies: { type: 'string' },
  races: { type: 'string' },
  cancels: { type: 'string' },
  retries: { type: 'string' },
  keys: { type: 'string' },
  'at-once': { type: 'string' },
  busy: { type: 'string' },
  'real-media': { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n\n${help}`);
  return process.exit(2);
};

const parse = () => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};

const { values, positionals } = parse();

const simulatedSizes = {
  recipients: 50,
  zombies: 100,
  races: 2_000,
  cancels: 200,
  retries: 100,
  keys: 20,
  'at-once': 20,
  busy: 3,
} as const;
/** Real phones ring as long as phones ring, and every call is coded and sent. */
const realSizes: Readonly<Record<keyof typeof simulatedSizes, number>> = {
  recipients: 8,
  zombies: 4,
  races: 40,
  cancels: 4,
  retries: 4,
  keys: 2,
  'at-once': 2,
  busy: 1,
};
const usual = values['real-media'] ? realSizes : simulatedSizes;

const number = (name: keyof typeof simulatedSizes): number => {
  const value = Number(values[name] ?? usual[name]);
  return Number.isInteger(value) && value > 0
    ? value
    : fail(`--${name} takes a number, not "${values[name]}".`);
};

if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
if (positionals.join() !== 'dialing')
  fail(`Name what to break, such as "npm run chaos -- dialing", not "${positionals.join(' ')}".`);
const experiments = (values.only?.split(',') ?? Object.keys(dialingExperiments)).map((name) => ({
  name,
  experiment: dialingExperiments[name] ?? fail(`There is no experiment "${name}".`),
}));
const sizes = {
  recipients: number('recipients'),
  cells: values.cells,
  zombies: number('zombies'),
  races: number('races'),
  cancels: number('cancels'),
  retries: number('retries'),
  keys: number('keys'),
};
const atOnce = number('at-once');
const turns = turnsOf(number('busy'));
const seed = values.seed ?? randomBytes(4).toString('hex');
process.stdout.write(`seed ${seed}: npm run chaos -- dialing --seed ${seed}\n`);

/** @throws never; ends the run where the programs are missing */
const realMedia = async (): Promise<LiveKitBinaries> => {
  const binaries = findLiveKit();
  if (binaries === undefined || findTelephones() === undefined)
    return fail('--real-media needs livekit-server, livekit-sip, redis-server and sipp on the PATH.');
  const versions = Object.entries(await liveKitVersions(binaries));
  process.stdout.write(`real media: ${versions.map((one) => one.join(' ')).join(', ')}, sipp\n`);
  return binaries;
};

const engines = await startChaosEngines(values['real-media'] ? await realMedia() : 'simulated');
const progress = progressOf(process.stderr);
const time = async ({ name, experiment }: (typeof experiments)[number]): Promise<Timed> => {
  const { step: onStep } = progress.of(name);
  const onNews = (line: string): void => progress.say([line]);
  const startedAt = performance.now();
  const outcome = await experiment({ engines, seed, atOnce, turns, onStep, onNews }, sizes).catch(
    (error: unknown) => brokenOff(name, error),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  onStep(1, 1, passed(outcome) ? 'held' : 'did not hold');
  progress.say(complaints(outcome));
  return { outcome, seconds };
};
const timed: Timed[] = [];
try {
  // One after the other: a busy machine cannot show whether the two-second promises hold.
  for (const one of experiments) timed.push(await time(one));
} finally {
  progress.end();
  await engines.stop({ keep: values.keep });
  if (values.keep) process.stdout.write(`logs: ${engines.directory}\n`);
}
process.stdout.write(reportOf(timed));
process.exit(timed.every(({ outcome }) => passed(outcome)) ? 0 : 1);
