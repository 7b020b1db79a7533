// npm run faults: makes a running platform's stand-ins fail on demand, and lists the operations that can fail.
import type { FaultTarget } from '@parlance/fake-kit';
import { fail, folderOf, portIn, readArguments, showHelp } from './command-line.js';

const help = `npm run faults                                        lists the faults and those that are set
npm run faults -- <engine> <target> <mode> [options]  sets a fault
npm run faults -- clear                               clears all faults

  --times <n>         only for the next n operations (default: until cleared)
  --ms <n>            delay of "slow" and "late"
  --retry-after <s>   Retry-After of a 429, in seconds (default: 1)
  --data-dir <path>   data folder of npm start (default: .parlance)
  --help              show this help

Example: carry out the next dial, but lose its response:  npm run faults -- liveKit sip hang-after --times 1
`;

const options = {
  times: { type: 'string' },
  ms: { type: 'string' },
  'retry-after': { type: 'string' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Listed = Readonly<Record<string, readonly FaultTarget[]>>;

const table = (engines: Listed): string =>
  Object.entries(engines)
    .flatMap(([engine, targets]) =>
      targets.map(({ target, mode, times, modes }) => {
        const now = times === null ? mode : `${mode} (${times} more)`;
        return `${engine.padEnd(12)}${target.padEnd(12)}${now.padEnd(22)}${modes.join(' ')}`;
      }),
    )
    .join('\n');

const { values, positionals } = readArguments(options, help);
const [engine, target, mode] = positionals;
const isClear = engine === 'clear' && positionals.length === 1;
if (values.help || (positionals.length > 0 && positionals.length !== 3 && !isClear))
  showHelp(help, values.help);
const folder = folderOf(values['data-dir']);
const port = portIn(folder, folder.state().ports['fault-control']);

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
const setting = {
  engine,
  target,
  mode,
  times: number(values.times),
  ms: number(values.ms),
  retryAfter: number(values['retry-after']),
};
const response = await fetch(`http://127.0.0.1:${port}/faults`, {
  method: isClear ? 'DELETE' : engine === undefined ? 'GET' : 'POST',
  headers: {
    authorization: `Bearer ${folder.secrets().faultControlToken}`,
    'content-type': 'application/json',
  },
  ...(engine !== undefined && !isClear ? { body: JSON.stringify(setting) } : {}),
});
// As the control of the switches answers: all engines, or the targets of the one that was set.
const answer = (await response.json()) as { engines?: Listed; targets?: FaultTarget[]; error?: string };
const listed = answer.engines ?? { [engine ?? '']: answer.targets ?? [] };
if (!response.ok) fail(`${answer.error ?? 'It was refused.'}\n\n${table(listed)}`, 1);
process.stdout.write(`${table(listed)}\n`);
