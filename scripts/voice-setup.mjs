// npm run voice:setup: makes the local speech service, which `npm start -- --voice` uses. Needs Python, and nothing of node_modules.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkSystem, optionOf } from './lib/preflight.mjs';
import { SetupFailure } from './lib/voice/failure.mjs';
import { checkSetup, setUp } from './lib/voice/set-up.mjs';

const help = `npm run voice:setup [-- options]

Installs the local speech service: Python packages and models for recognition and speech, about 1 GB with what is needed
while installing. It needs Python 3.9 or newer. Everything goes into the data folder, and an interrupted setup continues where
it stopped.

  --check            show what is there and what is missing; ends with status 1 when something is missing
  --languages <list> languages that agents speak, such as en,de: installs what they need, and says which voice each one has
  --data-dir <path>  data folder of npm start (default: .parlance)
  --with-tests       also install what the tests and the bench of runtime/speech need
  --help             show this help

VOICE_PYTHON         the Python to use, instead of the first suitable one on the PATH
VOICE_MODELS_DIR     a folder with models of your own; it is searched first
VOICE_MODELS_FILE    a table with models of your own (runtime/speech/README.md)
SPEECH_MODELS        names of the models to install, separated by commas
`;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(help);
  process.exit(0);
}
checkSystem();
const root = fileURLToPath(new URL('../', import.meta.url));
const options = {
  root,
  dataDir: resolve(root, optionOf(args, '--data-dir') ?? '.parlance'),
  languages: (optionOf(args, '--languages') ?? '')
    .split(',')
    .map((language) => language.trim().toLowerCase().split('-')[0])
    .filter((language) => language !== ''),
  withTests: args.includes('--with-tests'),
  env: process.env,
  output: process.stdout,
  say: (text) => console.log(text),
};
try {
  if (args.includes('--check')) process.exitCode = checkSetup(options) ? 0 : 1;
  else await setUp(options);
} catch (error) {
  if (!(error instanceof SetupFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
