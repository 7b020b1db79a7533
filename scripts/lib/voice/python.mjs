// Finds a Python that the speech service runs on, and gives it a virtual environment with the packages of requirements.txt.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, SetupFailure, textGoesOn } from './failure.mjs';
import { digestOf } from './models.mjs';

const oldest = [3, 9];
/** The newest that every package of requirements.txt has wheels for. */
const newest = [3, 14];
const range = `${oldest.join('.')} to ${newest.join('.')}`;

const names = [
  'python3',
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
  'python3.9',
  'python3.14',
  'python',
];

const question = `import json, sys
try:
    import ensurepip, venv
    has_venv = True
except ImportError:
    has_venv = False
print(json.dumps({"version": list(sys.version_info[:3]), "venv": has_venv, "bits": sys.maxsize.bit_length() + 1}))`;

const isBetween = ([major, minor]) => major === oldest[0] && minor >= oldest[1] && minor <= newest[1];

const factsOf = (command, env) => {
  const { status, stdout } = spawnSync(command, ['-c', question], { env, encoding: 'utf8', timeout: 30_000 });
  if (status !== 0) return undefined;
  try {
    return { command, ...JSON.parse(stdout) };
  } catch {
    return undefined;
  }
};

const howToInstall =
  'install one (Debian and Ubuntu: `apt-get install python3 python3-venv`; macOS: `brew install python@3.13`), or set VOICE_PYTHON to the path of one';

/** The first usable Python: VOICE_PYTHON, or one of the PATH. Throws one sentence that says what to do. */
export const findPython = (env) => {
  const candidates = env.VOICE_PYTHON ? [env.VOICE_PYTHON] : names;
  const found = candidates.map((name) => factsOf(name, env)).filter((facts) => facts !== undefined);
  const usable = found.filter(({ version, bits }) => isBetween(version) && bits === 64);
  const complete = usable.find(({ venv }) => venv);
  if (complete !== undefined) return { command: complete.command, version: complete.version.join('.') };
  const [first] = usable;
  if (first !== undefined)
    throw new SetupFailure(
      `${first.command} (${first.version.join('.')}) lacks the modules venv and ensurepip: run \`apt-get install python3-venv\`, or set VOICE_PYTHON to the path of another Python. ${textGoesOn}.`,
    );
  const [other] = found;
  if (other !== undefined)
    throw new SetupFailure(
      `Speech needs a 64-bit Python ${range}, and ${other.command} is ${other.version.join('.')} (${other.bits} bits): ${howToInstall}. ${textGoesOn}.`,
    );
  const where = env.VOICE_PYTHON
    ? `VOICE_PYTHON names ${env.VOICE_PYTHON}, which is no Python that runs`
    : 'There is no Python here';
  throw new SetupFailure(`${where}, and speech needs Python ${range}: ${howToInstall}. ${textGoesOn}.`);
};

export const pythonOf = (venv) => join(venv, 'bin', 'python');

const stampOf = (venv) => join(venv, 'parlance-requirements');

/** Whether the environment has the packages of these requirements. */
export const hasRequirements = (venv, requirements) => {
  if (!existsSync(pythonOf(venv)) || !existsSync(stampOf(venv))) return false;
  const installed = readFileSync(stampOf(venv), 'utf8').split('\n');
  return requirements.every((file) => installed.includes(digestOf(file)));
};

const noNetwork =
  /name resolution|nodename nor servname|NewConnectionError|Network is unreachable|timed out|Connection refused/i;

/** Makes the environment, or completes one that an interruption left unfinished. */
export const installRequirements = (python, venv, requirements, env) => {
  if (!existsSync(pythonOf(venv))) rmSync(venv, { recursive: true, force: true });
  const created = spawnSync(python.command, ['-m', 'venv', venv], { env, encoding: 'utf8' });
  if (created.status !== 0)
    throw new SetupFailure(
      `${python.command} could not make the virtual environment ${venv}: ${lastLines(created.stdout + created.stderr)}`,
    );
  const files = requirements.flatMap((file) => ['-r', file]);
  const options = [
    '--require-hashes',
    '--only-binary',
    ':all:',
    '--disable-pip-version-check',
    '--retries',
    '2',
  ];
  // Its progress goes to the terminal; its errors are needed for the sentence.
  const { status, stderr } = spawnSync(
    pythonOf(venv),
    ['-m', 'pip', 'install', '-q', '--progress-bar', 'on', ...options, ...files],
    {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'inherit', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (status !== 0)
    throw new SetupFailure(
      noNetwork.test(stderr)
        ? `pip cannot reach its package index: connect to the network, or configure pip (\`pip config\`, PIP_INDEX_URL), and run \`npm run voice:setup\` again. ${textGoesOn}.`
        : `pip could not install the packages of the speech service. ${textGoesOn}. pip says:\n${lastLines(stderr)}`,
    );
  writeFileSync(stampOf(venv), requirements.map(digestOf).join('\n'));
};
