// Runs the server as a process of its own: options from the command line, its URL on the first line of output.
import { parseArgs } from 'node:util';
import { startMongo } from './server.js';

const HELP = `Usage: main.js --data-dir DIR [--host HOST] [--port PORT] [--username NAME]

  --data-dir DIR  where the data is kept; created if missing
  --host HOST     address to listen on (default 127.0.0.1)
  --port PORT     port to listen on (default 27017; 0 takes a free one)
  --username NAME who may log in, with the password in MONGODB_PASSWORD; without it nobody has to
  --help          this text
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '27017' },
    username: { type: 'string' },
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
const server = await startMongo({
  dataDir,
  host: values.host,
  port: Number(values.port),
  ...(username !== undefined && { credentials: { username, password } }),
});
process.stdout.write(`${server.url}\n`);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
