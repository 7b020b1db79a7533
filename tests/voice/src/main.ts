// npm run voice:measure: what callers experience, over spoken calls to a real LiveKit, and bookings by callers with voices.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureBookings } from './bookings/measure.js';
import { measure } from './rooms/measure.js';
import { missingForCalls } from './rooms/stage.js';
import { measureFallbacks } from './sip/fallbacks.js';
import { measureSip, type SipParts } from './sip/measure.js';
import { missingForTelephones } from './sip/stage.js';

const help = `npm run voice:measure -- [options]

Calls the voice runtime with recorded voices and prints how long a caller waits: greeting after the answer, end of the caller's
voice to the agent's first sound, an interruption to silence. Without --sip it joins rooms of a real livekit-server.

  --turns <n>          answered turns (default: 20)

With --sip a telephone calls through a real livekit-sip, and all times are those of the packets on its own line. Parts:

  --turns <n>          answered turns, and the word error rate of what was recognized
  --greetings <n>      calls until the first sound; the first call is shown apart
  --barge-ins <n>      interruptions of an answer, until silence
  --back-channels <n>  signs of listening ("mm-hm", "yeah", "ja"), and how many stop the agent
  --at-once <n>        1, 2, 3, ... calls at once, until the 95th percentile doubles, at most <n>
  --cases              bad audio, difficult callers, and keys (RFC 4733), each with the behaviour that is right
  --only <text>        only the cases with this text in their names

  --fallbacks <n>      calls in which recognition, the language model or speech fails, hangs or answers 429, of each <n>; alone

Without a part, a short round of all but the last two.

  --bookings <n>       bookings by simulated callers with voices, a third with noise, at 8 kHz µ-law; not in real time
  --seed <n>           which callers (default: 1)
  --german <n>         of 10 callers, how many speak German (default: 2)
  --espeak             English callers have voices of espeak-ng: quick to make, and harder to understand
  --show               print the conversation of each failed booking
  --reuse              take what was recognized in an earlier run, where a caller says the same again; for work on the dialogue

  --data-dir <path>    data folder with the speech service of npm run voice:setup (default: .parlance)
  --json               print the figures as JSON
  --help               show this help

SPEECH_URL and SPEECH_KEY name another server that recognizes and speaks; without --sip they are required. livekit-server, livekit-sip
and redis-server are found on the PATH. A round takes about 6.5 seconds for a turn, 4 for a greeting, 9 for an interruption, 5 for a
sign of listening. Ctrl-C ends it, and nothing keeps running.
`;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const failure = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(2);
};

const numbers = [
  'turns',
  'greetings',
  'barge-ins',
  'back-channels',
  'at-once',
  'fallbacks',
  'bookings',
  'seed',
  'german',
] as const;
const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        turns: text,
        greetings: text,
        'barge-ins': text,
        'back-channels': text,
        'at-once': text,
        fallbacks: text,
        bookings: text,
        seed: text,
        german: text,
        'data-dir': { ...text, default: '.parlance' },
        sip: flag,
        cases: flag,
        only: { ...text, default: '' },
        espeak: flag,
        show: flag,
        reuse: flag,
        json: flag,
        help: flag,
      },
    });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
};

const { values } = readArguments();
const count = (name: (typeof numbers)[number]): number | undefined => {
  const given = values[name];
  if (given === undefined) return undefined;
  const value = Number(given);
  return Number.isInteger(value) && value >= 0 ? value : failure(`--${name} takes a number, not "${given}".`);
};

const interruption = new AbortController();
process.on('SIGINT', () => {
  // The children die with this process.
  if (interruption.signal.aborted) process.exit(130);
  process.stderr.write('\nstopping\n');
  interruption.abort();
});
process.once('SIGTERM', () => interruption.abort());

const shortRound: SipParts = {
  turns: 20,
  greetings: 5,
  bargeIns: 8,
  backChannels: 12,
  atOnce: 0,
  cases: false,
  only: '',
};

const partsOf = (): SipParts => {
  const chosen = {
    turns: count('turns') ?? 0,
    greetings: count('greetings') ?? 0,
    bargeIns: count('barge-ins') ?? 0,
    backChannels: count('back-channels') ?? 0,
    atOnce: count('at-once') ?? 0,
    cases: values.cases || values.only !== '',
    only: values.only,
  };
  return Object.values(chosen).some((value) => value !== 0 && value !== false && value !== '')
    ? chosen
    : shortRound;
};

const run = async (): Promise<void> => {
  const { signal } = interruption;
  const dataFolder = resolve(root, values['data-dir']);
  const bookings = count('bookings');
  const print = ({ report, text: shown }: { readonly report: object; readonly text: string }): void => {
    process.stdout.write(values.json ? `${JSON.stringify(report, undefined, 2)}\n` : shown);
  };
  if (bookings !== undefined) {
    const options = { bookings, seed: count('seed') ?? 1, german: count('german') ?? 2 };
    print(
      await measureBookings({
        ...options,
        isEspeak: values.espeak,
        isShown: values.show,
        isReused: values.reuse,
        dataFolder,
        signal,
      }),
    );
    return;
  }
  if (values.sip) {
    const missing = missingForTelephones();
    if (missing !== undefined) failure(missing);
    const calls = count('fallbacks') ?? 0;
    if (calls > 0) {
      print(await measureFallbacks({ calls, dataFolder, signal }));
      return;
    }
    print(await measureSip({ parts: partsOf(), dataFolder, signal }));
    return;
  }
  const missing =
    missingForCalls() ?? (process.env.SPEECH_URL ? undefined : 'SPEECH_URL names no speech server');
  if (missing !== undefined) failure(missing);
  await measure(Math.max(1, count('turns') ?? 20));
};

if (values.help) process.stdout.write(help);
else {
  try {
    await run();
  } catch (error) {
    if (!interruption.signal.aborted) failure(error instanceof Error ? error.message : String(error));
  }
  process.exit(interruption.signal.aborted ? 130 : 0);
}
