// Process entry: serves one data directory until it is told to stop. The first line on stdout is the connection string.
import { parseArgs } from 'node:util';
import { startEventStore } from './index.js';

const HELP = `Serves EventStoreDB's gRPC protocol for one machine.

  --data-dir DIR   where everything is stored (required)
  --port PORT      port to listen on (default: a free one)
  --host HOST      address to listen on (default: 127.0.0.1)
  --no-fsync       acknowledge before the disk has it: survives a killed process, not a power cut
  --help           show this
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    'no-fsync': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const dataDir = values['data-dir'];

if (values.help || dataDir === undefined) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

const store = await startEventStore({
  dataDir,
  host: values.host,
  port: Number(values.port),
  fsync: !values['no-fsync'],
});
const { replayed, cutBytes } = store.recovery;
process.stdout.write(`${store.connectionString}\n`);
process.stderr.write(`event store: ${replayed} records replayed, ${cutBytes} torn bytes cut\n`);

const stop = (): void => {
  store.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`event store: could not stop cleanly: ${String(error)}\n`);
      process.exit(1);
    },
  );
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
