// npm run voice:setup: Python packages and models of the local speech service, verified and tried out.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withFolderLock } from '../checkout-lock.mjs';
import { isInstalled } from '../installed.mjs';
import { lastLines, SetupFailure, textGoesOn } from './failure.mjs';
import { digestOf, fetchModel, lackingOf, operatorFolderOf, readTable } from './models.mjs';
import { findPython, hasRequirements, installRequirements, pythonOf } from './python.mjs';

/** Size of the virtual environment when it is complete, rounded up. */
const environmentBytes = 600e6;

const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

const placesOf = ({ root, dataDir, withTests }) => {
  const folder = join(dataDir, 'voice');
  const speech = join(root, 'runtime', 'speech');
  const requirements = ['requirements.txt', ...(withTests ? ['requirements-test.txt'] : [])];
  return {
    folder,
    speech,
    worker: join(root, 'runtime', 'voice'),
    venv: join(folder, 'venv'),
    models: join(folder, 'models'),
    downloads: join(folder, 'downloads'),
    service: join(folder, 'service.json'),
    requirements: requirements.map((name) => join(speech, name)),
  };
};

const isMachine = ({ engine }) => engine === 'espeak' || engine === 'pico';

const runsHere = ({ platforms = [] }) => platforms.length === 0 || platforms.includes(process.platform);

const nameOf = (language) => {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language;
  } catch {
    return 'the language';
  }
};

/** The model that hears or speaks this language, such as `de`: one that sounds like a machine comes last. */
const modelOf = (models, kind, language) =>
  models
    .filter((model) => model.kind === kind)
    .filter(({ languages = [] }) => languages.includes('multilingual') || languages.includes(language))
    .toSorted((one, other) => Number(isMachine(one)) - Number(isMachine(other)))[0];

/** The chosen models, and those of the table that it takes to hear and to speak these languages. */
const withLanguages = (chosen, all, languages) => {
  const added = languages.flatMap((language) =>
    ['stt', 'tts'].flatMap((kind) => {
      const candidates = [modelOf(chosen, kind, language), modelOf(all, kind, language)];
      const found = candidates.find((model) => model !== undefined && !isMachine(model)) ?? candidates[1];
      if (found !== undefined) return [found];
      const verb = kind === 'stt' ? 'hears' : 'speaks';
      throw new SetupFailure(
        `No model of the table ${verb} ${nameOf(language)} (${language}): choose a model of a vendor for such agents, or describe one of yours in a file and set VOICE_MODELS_FILE to it (runtime/speech/README.md). ${textGoesOn}.`,
      );
    }),
  );
  return all.filter((model) => chosen.includes(model) || added.includes(model));
};

const chosenModels = (speech, env, languages) => {
  const table = readTable(join(speech, 'models.json'));
  const names = (env.SPEECH_MODELS ?? '').split(',').filter((name) => name !== '');
  const further = env.VOICE_MODELS_FILE ? readTable(env.VOICE_MODELS_FILE) : [];
  const all = new Map([...table, ...further].filter(runsHere).map((model) => [model.name, model]));
  const unknown = names.find((name) => !all.has(name));
  if (unknown !== undefined)
    throw new SetupFailure(
      `SPEECH_MODELS names ${unknown}, which is no model of the table: use ${[...all.keys()].join(', ')}.`,
    );
  const chosen = [...all.values()].filter((model) =>
    names.length === 0 ? model.default : names.includes(model.name),
  );
  return withLanguages(chosen, [...all.values()], languages);
};

/** A sentence for each language: which model speaks it. */
const sayLanguages = (models, languages, say) => {
  for (const language of languages) {
    const model = modelOf(
      models.map((one) => one.model),
      'tts',
      language,
    );
    say(
      `${nameOf(language)} is spoken by ${model.name}${isMachine(model) ? ', which is intelligible and sounds like a machine: runtime/speech/README.md says how to use a voice of yours' : ''}.`,
    );
  }
};

const bytesOf = (files) => files.reduce((sum, { bytes }) => sum + bytes, 0);

const folderBytes = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return sum;
    return sum + (entry.isDirectory() ? folderBytes(path) : statSync(path).size);
  }, 0);

const existingParent = (folder) => (existsSync(folder) ? folder : existingParent(dirname(folder)));

const freeBytes = (folder) => {
  const { bavail, bsize } = statfsSync(existingParent(folder));
  return bavail * bsize;
};

const noSpace = (folder, needed, free) =>
  new SetupFailure(
    `Speech needs ${megabytes(needed)} in ${folder}, and ${megabytes(free)} are free: free some space, or choose another folder with --data-dir. ${textGoesOn}.`,
  );

/** What is there, and what has to be fetched. */
const stateOf = (options) => {
  const places = placesOf(options);
  const models = chosenModels(places.speech, options.env, options.languages ?? []).map((model) => {
    const operatorFolder = operatorFolderOf(model, options.env.VOICE_MODELS_DIR);
    const folder = operatorFolder ?? join(places.models, model.name);
    const lacking = operatorFolder === undefined ? lackingOf(model, folder) : [];
    return { model, folder, lacking: lacking.map(({ file }) => file) };
  });
  const isWorkerInstalled = !existsSync(join(places.worker, 'package.json')) || isInstalled(places.worker);
  return {
    places,
    models,
    hasPackages: hasRequirements(places.venv, places.requirements),
    isWorkerInstalled,
  };
};

/** Prints what is there. Resolves with whether everything is. */
export const checkSetup = (options) => {
  const { say } = options;
  const { places, models, hasPackages, isWorkerInstalled } = stateOf(options);
  const line = (isThere, name, detail) => say(`${isThere ? 'ok     ' : 'missing'} ${name}${detail}`);
  line(hasPackages, 'Python packages', ` (${places.venv})`);
  for (const { model, folder, lacking } of models) {
    const detail = lacking.length === 0 ? folder : `${megabytes(bytesOf(lacking))} to fetch`;
    line(
      lacking.length === 0,
      model.name,
      ` (${model.license}, ${megabytes(bytesOf(model.files))}; ${detail})`,
    );
  }
  line(isWorkerInstalled, 'npm packages of runtime/voice', '');
  const isConfigured = existsSync(places.service);
  line(isConfigured, 'trial of the service', '');
  return (
    isConfigured && hasPackages && isWorkerInstalled && models.every(({ lacking }) => lacking.length === 0)
  );
};

const progressTo = (output) => {
  let shown = '';
  return (model, file, done) => {
    const percent = `${Math.floor((done / file.bytes) * 100)}`;
    const text = `  ${model.name}/${file.path} ${percent.padStart(3)} % of ${megabytes(file.bytes)}`;
    if (!output.isTTY || text === shown) return;
    shown = text;
    output.write(`\r${text}${done === file.bytes ? '\n' : ''}`);
  };
};

const serviceOf = ({ places, models, env }) => ({
  command: pythonOf(places.venv),
  args: ['-m', 'parlance_speech'],
  env: {
    PYTHONPATH: places.speech,
    // Bytecode belongs into the data folder, not into the checkout.
    PYTHONPYCACHEPREFIX: join(places.folder, 'bytecode'),
    HF_HUB_OFFLINE: '1',
    SPEECH_MODELS_DIR: places.models,
    ...(env.VOICE_MODELS_DIR ? { VOICE_MODELS_DIR: env.VOICE_MODELS_DIR } : {}),
    ...(env.VOICE_MODELS_FILE ? { VOICE_MODELS_FILE: env.VOICE_MODELS_FILE } : {}),
    SPEECH_MODELS: models.map(({ model }) => model.name).join(','),
  },
});

/** What the installation was made from: when one of these files changes, the service has to be set up again. */
const versionsOf = ({ requirements, speech }) =>
  [...requirements, join(speech, 'models.json')].map((file) => ({ file, sha256: digestOf(file) }));

/** Speaks a sentence and listens to it. */
const tryOut = ({ command, args, env: variables }, env) => {
  const { status, stdout, stderr } = spawnSync(command, [...args, '--try'], {
    env: { ...env, ...variables, SPEECH_KEY: 'only-for-the-trial-run' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new SetupFailure(`The speech service does not run: ${lastLines(stderr)}`);
  return JSON.parse(stdout);
};

const installWorker = ({ worker }, env) => {
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: worker,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  if (status !== 0)
    throw new SetupFailure(`npm could not install the packages of runtime/voice: ${lastLines(stderr)}`);
};

const setUpLocked = async (options) => {
  const { env, say, output, free = freeBytes } = options;
  const begun = Date.now();
  const { places, models, hasPackages, isWorkerInstalled } = stateOf(options);
  // Packages are downloaded, and then joined into the files.
  const needed = (hasPackages ? 0 : environmentBytes) + 2 * bytesOf(models.flatMap(({ lacking }) => lacking));
  const available = free(places.folder);
  if (needed > available) throw noSpace(places.folder, needed, available);

  if (!hasPackages) {
    const python = findPython(env);
    say(`Installing Python packages for Python ${python.version} into ${places.venv} ...`);
    const started = Date.now();
    installRequirements(python, places.venv, places.requirements, env);
    say(`  ${megabytes(folderBytes(places.venv))} in ${seconds(started)}`);
  }
  const context = {
    downloads: places.downloads,
    python: pythonOf(places.venv),
    env,
    unreachable: new Set(),
    note: say,
    progress: progressTo(output),
  };
  for (const { model, folder, lacking } of models) {
    if (lacking.length === 0) continue;
    say(`Fetching ${model.name} (${model.license}, ${megabytes(bytesOf(lacking))}) ...`);
    const started = Date.now();
    await fetchModel(model, folder, context);
    say(`  verified in ${seconds(started)}`);
  }
  rmSync(places.downloads, { recursive: true, force: true });
  if (!isWorkerInstalled) {
    say('Installing npm packages of runtime/voice ...');
    installWorker(places, env);
  }

  const service = serviceOf({ places, models, env });
  const trial = tryOut(service, env);
  say(
    `Said "${trial.spoken}" and heard "${trial.heard}": first sound after ${trial.first_sound_ms} ms, recognized in ${trial.recognition_ms} ms.`,
  );
  const manifest = { ...service, requirements: versionsOf(places) };
  writeFileSync(`${places.service}.partial`, `${JSON.stringify(manifest, undefined, 2)}\n`);
  renameSync(`${places.service}.partial`, places.service);
  const sizes = models.map(
    ({ model, folder }) => `${model.name} ${megabytes(bytesOf(model.files))} in ${folder}`,
  );
  sayLanguages(models, options.languages ?? [], say);
  say(`Ready after ${seconds(begun)}: ${sizes.join(', ')}. Talk with \`npm start -- --voice\`.`);
};

/** Installs what is missing. Throws a `SetupFailure` with one sentence where it cannot. */
export const setUp = async (options) => {
  const { folder } = placesOf(options);
  try {
    mkdirSync(folder, { recursive: true });
    await withFolderLock(folder, () => setUpLocked(options));
  } catch (error) {
    if (error.code === 'ENOSPC') throw noSpace(folder, environmentBytes, (options.free ?? freeBytes)(folder));
    throw error;
  }
};
