// The stand-in as a process of its own.
import { parseArgs } from 'node:util';
import { serveProcess } from '@parlance/fake-kit';
import { createOpenAiFaults } from './faults.js';
import { startOpenAi } from './server.js';

const help = `The OpenAI protocol for one machine: models, chat, transcriptions and speech, without a model.

  --port <n>              default: a free one
  --model <name>          a model that exists, once for each; every model exists unless given
  --api-key <key>         the one key that is accepted; any key unless given
  --obedient              does what the last instruction in a request says, whoever wrote it
  --control-port <n>      serves the fault switches there; needs SANDBOX_CONTROL_TOKEN
  --help

With SANDBOX_CONTROL_TOKEN in the environment, PUT /script sets the answers.
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    model: { type: 'string', multiple: true },
    'api-key': { type: 'string' },
    obedient: { type: 'boolean' },
    'control-port': { type: 'string' },
    help: { type: 'boolean' },
  },
});
const { SANDBOX_CONTROL_TOKEN: controlToken } = process.env;

if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const faults = createOpenAiFaults();
const running = await startOpenAi({
  faults,
  ...(values.port ? { port: Number(values.port) } : {}),
  ...(values.model ? { models: values.model } : {}),
  ...(values['api-key'] ? { apiKey: values['api-key'] } : {}),
  ...(controlToken ? { controlToken } : {}),
});
running.chat.isObedient = values.obedient ?? false;
await serveProcess({ ...running, engine: 'openai', faults, controlPort: values['control-port'] });
