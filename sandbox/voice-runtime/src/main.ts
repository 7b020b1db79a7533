// The voice runtime as a program, and as a child of the platform, which reads its first message as "ready".
import { parseArgs } from 'node:util';
import { startVoiceRuntime } from './runtime.js';

const help = `A voice runtime for a real LiveKit on one machine: answers jobs, speaks, and writes down the keys that it hears.

  --platform-url <url>   where it asks for configurations and hands calls over (default: http://127.0.0.1:4700)
  --help

LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, INTERNAL_API_KEY and VOICE_AGENT_NAME come from the environment.
`;

const { values } = parseArgs({
  options: {
    'platform-url': { type: 'string', default: 'http://127.0.0.1:4700' },
    help: { type: 'boolean' },
  },
});
const {
  LIVEKIT_URL: liveKitUrl,
  LIVEKIT_API_KEY: apiKey,
  LIVEKIT_API_SECRET: apiSecret,
  INTERNAL_API_KEY: internalKey,
  VOICE_AGENT_NAME: agentName = 'parlance-voice',
} = process.env;

if (values.help || !liveKitUrl || !apiKey || !apiSecret || !internalKey) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 2);
}
const platformUrl = values['platform-url'];
const runtime = startVoiceRuntime({ liveKitUrl, apiKey, apiSecret, internalKey, platformUrl, agentName });

const stop = (): void => {
  runtime.stop();
  process.exit(0);
};
process.on('SIGTERM', stop);
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
if (process.send === undefined) process.on('SIGINT', stop);
else process.on('SIGINT', () => undefined);
process.on('disconnect', stop);

// A fault in one call must not end the others.
process.on('unhandledRejection', (fault) => {
  process.stderr.write(`${fault instanceof Error ? fault.stack : String(fault)}\n`);
});

await runtime.registered;
process.send?.('ready');
