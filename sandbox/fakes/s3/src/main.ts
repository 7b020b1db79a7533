// The stand-in as a process of its own.
import { parseArgs } from 'node:util';
import { serveProcess } from '@parlance/fake-kit';
import { createS3Faults } from './faults.js';
import { startS3 } from './server.js';

const help = `S3 objects on disk, for one machine.

  --data-dir <path>       where objects are (required)
  --host <address>        default: 127.0.0.1
  --port <n>              default: a free one
  --bucket <name>         made when it is not there; may be repeated
  --cors-origin <origin>  web pages that may use presigned URLs; may be repeated, * is any
  --control-port <n>      serves the fault switches there; needs SANDBOX_CONTROL_TOKEN
  --help

S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and SANDBOX_CONTROL_TOKEN come from the environment.
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    bucket: { type: 'string', multiple: true, default: [] },
    'cors-origin': { type: 'string', multiple: true, default: [] },
    'control-port': { type: 'string' },
    help: { type: 'boolean' },
  },
});
const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = process.env;

if (values.help || !values['data-dir'] || !accessKeyId || !secretAccessKey) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 2);
}
const faults = createS3Faults();
const running = await startS3({
  dataDir: values['data-dir'],
  host: values.host,
  port: Number(values.port),
  accessKeyId,
  secretAccessKey,
  buckets: values.bucket,
  corsOrigins: values['cors-origin'],
  faults,
});
await serveProcess({ ...running, engine: 's3', faults, controlPort: values['control-port'] });
