// npm run voice:measure: how long a caller waits for the agent, over spoken calls to a real LiveKit.
import { parseArgs } from 'node:util';
import { measure } from './measure.js';
import { missingForCalls } from './stage.js';

const help = `npm run voice:measure -- [options]

Calls the voice runtime with recorded voices, in rooms of a real livekit-server on this machine, and prints percentiles of:
greeting after the answer, end of the caller's voice to the agent's first sound, and an interruption to silence.

  --turns <n>        answered turns (default: 20)
  --help             show this help

SPEECH_URL, SPEECH_KEY and further variables of runtime/voice name the server that recognizes and speaks.
`;

const { values } = parseArgs({
  options: { turns: { type: 'string', default: '20' }, help: { type: 'boolean', default: false } },
});
const turns = Number(values.turns);
if (values.help) process.stdout.write(help);
else {
  const missing =
    missingForCalls() ?? (process.env.SPEECH_URL ? undefined : 'SPEECH_URL names no speech server');
  if (missing !== undefined || !(turns >= 1)) {
    process.stderr.write(`${missing ?? `--turns takes a number, not "${values.turns}".`}\n`);
    process.exit(2);
  }
  await measure(turns);
  process.exit(0);
}
