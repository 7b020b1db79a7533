// The stand-in as a process of its own.
import { parseArgs } from 'node:util';
import { serveProcess } from '@parlance/fake-kit';
import { createLiveKitFaults } from './faults.js';
import { startLiveKit } from './server.js';

const help = `LiveKit server API for one machine, with simulated phones and a simulated voice runtime.

  --data-dir <path>       ledger and trunks (required)
  --port <n>              default: a free one
  --platform-url <url>    where finished calls are handed over (default: http://127.0.0.1:4700)
  --time-scale <n>        how much faster than life people talk (default: 4)
  --control-port <n>      serves the fault switches there; needs SANDBOX_CONTROL_TOKEN
  --help

LIVEKIT_API_KEY, LIVEKIT_API_SECRET, INTERNAL_API_KEY and VOICE_AGENT_NAME come from the environment.
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string' },
    'platform-url': { type: 'string', default: 'http://127.0.0.1:4700' },
    'time-scale': { type: 'string', default: '4' },
    'control-port': { type: 'string' },
    help: { type: 'boolean' },
  },
});
const { LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret, INTERNAL_API_KEY: internalKey } = process.env;

if (values.help || !values['data-dir'] || !apiKey || !apiSecret || !internalKey) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 2);
}
const faults = createLiveKitFaults();
const running = await startLiveKit({
  faults,
  dataDir: values['data-dir'],
  apiKey,
  apiSecret,
  internalKey,
  platformUrl: values['platform-url'],
  webhookUrl: `${values['platform-url']}/hooks/livekit`,
  agentName: process.env.VOICE_AGENT_NAME ?? 'parlance-voice',
  timeScale: Number(values['time-scale']),
  ...(values.port ? { port: Number(values.port) } : {}),
});
await serveProcess({ ...running, engine: 'liveKit', faults, controlPort: values['control-port'] });
