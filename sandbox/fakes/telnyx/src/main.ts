// The stand-in as a process of its own.
import { parseArgs } from 'node:util';
import { Ledger, serveProcess } from '@parlance/fake-kit';
import { createTelnyxFaults } from './faults.js';
import { startTelnyx } from './server.js';

const help = `Telnyx's REST API for telephone numbers and SIP connections, for one machine.

  --data-dir <path>       what the account owns (required)
  --port <n>              default: a free one
  --ledger <path>         default: ledger.jsonl in the data directory
  --control-port <n>      serves the fault switches there; needs SANDBOX_CONTROL_TOKEN
  --help

TELNYX_API_KEY and SANDBOX_CONTROL_TOKEN come from the environment.
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string' },
    ledger: { type: 'string' },
    'control-port': { type: 'string' },
    help: { type: 'boolean' },
  },
});
const { TELNYX_API_KEY: apiKey } = process.env;

if (values.help || !values['data-dir'] || !apiKey) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 2);
}
const faults = createTelnyxFaults();
const ledger = values.ledger ? await Ledger.open(values.ledger) : undefined;
const running = await startTelnyx({
  dataDir: values['data-dir'],
  credentials: { apiKey },
  faults,
  ...(ledger ? { ledger } : {}),
  ...(values.port ? { port: Number(values.port) } : {}),
});
await serveProcess({ ...running, engine: 'telnyx', faults, controlPort: values['control-port'] });
