// The stand-in as a process of its own.
import { parseArgs } from 'node:util';
import { Ledger, serveProcess } from '@parlance/fake-kit';
import { createTwilioFaults } from './faults.js';
import { startTwilio } from './server.js';

const help = `Twilio's REST API for telephone numbers and SIP trunks, for one machine.

  --data-dir <path>       what the account owns (required)
  --port <n>              default: a free one
  --ledger <path>         default: ledger.jsonl in the data directory
  --control-port <n>      serves the fault switches there; needs SANDBOX_CONTROL_TOKEN
  --help

TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and SANDBOX_CONTROL_TOKEN come from the environment.
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
const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = process.env;

if (values.help || !values['data-dir'] || !accountSid || !authToken) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 2);
}
const faults = createTwilioFaults();
const ledger = values.ledger ? await Ledger.open(values.ledger) : undefined;
const running = await startTwilio({
  dataDir: values['data-dir'],
  credentials: { accountSid, authToken },
  faults,
  ...(ledger ? { ledger } : {}),
  ...(values.port ? { port: Number(values.port) } : {}),
});
await serveProcess({ ...running, engine: 'twilio', faults, controlPort: values['control-port'] });
