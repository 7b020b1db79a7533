// Runs the server as a process of its own: options from the command line, its URL on the first line of output.
import { parseArgs } from 'node:util';
import { serveProcess } from '@parlance/fake-kit';
import { createMongoFaults } from './faults.js';
import { startMongo } from './server.js';

const HELP = `Usage: main.js --data-dir DIR [--host HOST] [--port PORT] [--username NAME] [--control-port PORT]

  --data-dir DIR  where the data is kept; created if missing
  --host HOST     address to listen on (default 127.0.0.1)
  --port PORT     port to listen on (default 27017; 0 takes a free one)
  --username NAME who may log in, with the password in MONGODB_PASSWORD; without it nobody has to
  --control-port PORT
                  serves the fault switches there; needs SANDBOX_CONTROL_TOKEN in the environment
  --help          show this help
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '27017' },
    username: { type: 'string' },
    'control-port': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const dataDir = values['data-dir'];

if (values.help || dataDir === undefined) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

const { username } = values;
const password = process.env.MONGODB_PASSWORD ?? '';
if (username !== undefined && password === '') {
  process.stderr.write('--username needs a password in MONGODB_PASSWORD\n');
  process.exit(2);
}
const faults = createMongoFaults();
const server = await startMongo({
  dataDir,
  faults,
  host: values.host,
  port: Number(values.port),
  ...(username !== undefined && { credentials: { username, password } }),
});
await serveProcess({
  url: server.url,
  stop: () => server.stop(),
  engine: 'mongo',
  faults,
  controlPort: values['control-port'],
});
