// Process entry: serves one data directory until it is told to stop. The first line on stdout is the connection string.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serveProcess } from '@parlance/fake-kit';
import { createEventStoreFaults, startEventStore } from './index.js';

const HELP = `Serves EventStoreDB's gRPC protocol for one machine.

  --data-dir DIR   where everything is stored (required)
  --port PORT      port to listen on (default: a free one)
  --host HOST      address to listen on (default: 127.0.0.1)
  --no-fsync       acknowledge before the disk has it: survives a killed process, not a power cut
  --tls-cert FILE  PEM; with it and --tls-key the protocol is spoken over TLS
  --tls-key FILE
  --control-port PORT
                   serves the fault switches there; needs SANDBOX_CONTROL_TOKEN
  --help           show this

EVENTSTORE_USERNAME and EVENTSTORE_PASSWORD, when set, are asked of every caller. Clients send them over TLS only.
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    'no-fsync': { type: 'boolean', default: false },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
    'control-port': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { 'data-dir': dataDir, 'tls-cert': certFile = '', 'tls-key': keyFile = '' } = values;
const { EVENTSTORE_USERNAME: username = '', EVENTSTORE_PASSWORD: password = '' } = process.env;
const together = (one: string, other: string): boolean => (one === '') === (other === '');
const sound = together(certFile, keyFile) && together(username, password);

if (values.help || dataDir === undefined || !sound) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

const faults = createEventStoreFaults();
const store = await startEventStore({
  dataDir,
  host: values.host,
  port: Number(values.port),
  fsync: !values['no-fsync'],
  faults,
  ...(username === '' ? {} : { credentials: { username, password } }),
  ...(certFile === ''
    ? {}
    : { tls: { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') } }),
});
const { replayed, cutBytes } = store.recovery;
await serveProcess({
  url: store.connectionString,
  stop: store.stop,
  engine: 'eventStore',
  faults,
  controlPort: values['control-port'],
});
process.stderr.write(`event store: ${replayed} records replayed, ${cutBytes} torn bytes cut\n`);
