// npm run ring: lets a telephone call one of the platform's numbers; a real one on the wire, or a simulated one.
import { readFileSync } from 'node:fs';
import { encodePcmu, sampleRate } from '@parlance/telephones';
import { fail, folderOf, portIn, readArguments, showHelp } from './command-line.js';

const help = `npm run ring -- <number> [options]

Places an inbound call to a number that the running platform owns. With real media (npm start -- --real-media), a SIP telephone
calls and repeatedly presses the last four digits of its own number; the command waits for the call to end and reports what the
telephone saw. Otherwise the caller is simulated.

  --from <number>     caller's number (default: +4915112345566)
  --recording <path>  speaks this WAVE file (8000 Hz, 16 bits, mono) once, instead of pressing keys (real media)
  --seconds <n>       time until the caller hangs up (real media; default: 10)
  --data-dir <path>   data folder of npm start (default: .parlance)
  --help              show this help
`;

const options = {
  from: { type: 'string', default: '+4915112345566' },
  seconds: { type: 'string', default: '10' },
  recording: { type: 'string' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean' },
} as const;

const waveHeaderBytes = 44;

const { values, positionals } = readArguments(options, help);
const [to] = positionals;
if (values.help || to === undefined || positionals.length !== 1) showHelp(help, values.help);
const folder = folderOf(values['data-dir']);
const { ports, isRealMedia, hasTelephones } = folder.state();
const secrets = folder.secrets();
if (!hasTelephones) fail('This platform has no telephones: it was started with --browser-voice alone.', 1);
const port = portIn(folder, isRealMedia ? ports['telephones-control'] : ports.livekit);

/** The samples of the file as PCMU in base64. */
const recordingIn = (path: string): string => {
  const file = readFileSync(path);
  if (file.readUInt32LE(24) !== sampleRate || file.readUInt16LE(34) !== 16 || file.readUInt16LE(22) !== 1)
    fail(`${path} is no WAVE file of 8000 Hz, 16 bits and one channel.`, 1);
  const data = file.subarray(waveHeaderBytes);
  const samples = Array.from({ length: Math.floor(data.length / 2) }, (_, index) =>
    data.readInt16LE(index * 2),
  );
  return Buffer.from(samples.map(encodePcmu)).toString('base64');
};

const talk = isRealMedia
  ? {
      talkSeconds: Number(values.seconds),
      ...(values.recording !== undefined && { recording: recordingIn(values.recording) }),
    }
  : {};
const response = await fetch(`http://127.0.0.1:${port}/sandbox/inbound-calls`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${isRealMedia ? secrets.faultControlToken : secrets.liveKitApiSecret}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ from: values.from, to, ...talk }),
});

/** The call as the telephone saw it; times are milliseconds since 1970. */
interface Seen {
  readonly status?: number;
  readonly answeredAt?: number;
  readonly endedAt?: number;
  readonly endedBy?: 'telephone' | 'far-end';
  readonly heard?: string;
  readonly voices?: readonly { readonly fromMs: number; readonly toMs: number }[];
}

const storyOf = ({ status, answeredAt, endedAt, endedBy, heard, voices = [] }: Seen): string => {
  if (answeredAt === undefined) return `The call was not answered (SIP ${status ?? 'without an answer'}).`;
  const seconds = ((endedAt ?? Date.now()) - answeredAt) / 1_000;
  const by = endedBy === 'telephone' ? 'The telephone' : 'The agent';
  const keys = heard ? ` The telephone heard the keys ${heard}.` : '';
  const from = (ms: number): string => ((ms - answeredAt) / 1_000).toFixed(1);
  const voiced = voices.map(({ fromMs, toMs }) => `${from(fromMs)}-${from(toMs)}`).join(', ');
  const voice = voiced === '' ? '' : ` It heard a voice at ${voiced} seconds after the answer.`;
  return `${by} hung up after ${seconds.toFixed(1)} seconds.${keys}${voice}`;
};

if (!response.ok) fail(`The call was not placed: ${await response.text()}`, 1);
const answer = (await response.json()) as Seen; // written by the control of the telephones, or by the stand-in
process.stdout.write(`${isRealMedia ? storyOf(answer) : `A simulated person rings ${to}.`}\n`);
