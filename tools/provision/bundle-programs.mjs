// Bundles compiled workspaces into programs of a few files. They load in half of the time of the thousands of modules that they are
// made of. A build whose sources have not changed is not repeated.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** A package that serves the files beside its own. */
const servesItself = 'swagger-ui-dist';

/** NestJS asks for packages that a platform may lack, and goes on without them. */
const isLeftToNest = (id, importer = '') => {
  const [scope, name] = id.split('/');
  const packageName = id.startsWith('@') ? `${scope}/${name}` : scope;
  return /node_modules.@nestjs/.test(importer) && !existsSync(join(root, 'node_modules', packageName));
};
const isBare = (id) => /^[@\w]/.test(id) && !id.startsWith('node:');

/** A module finds its own files, such as migrations, by its address. Here that is the address of the compiled module. */
const ownAddresses = (folder) => ({
  name: 'own-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => {
      const path = JSON.stringify(relative(folder, id).split(sep).join('/'));
      return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
    },
  },
});

/** A stack trace names the workspace or the package that most of a shared file is about. */
const chunkName = ({ moduleIds }) => {
  const names = moduleIds
    .filter((id) => id.startsWith(root))
    .map((id) => relative(root, id).split(sep).slice(0, 2).join('-').replace('node_modules-', ''));
  const count = (name) => names.filter((other) => other === name).length;
  const [most = 'shared'] = [...new Set(names)].sort((a, b) => count(b) - count(a));
  return `${most}-[hash].js`;
};

/** The compiler notes in its .tsbuildinfo which sources it has read. */
const fingerprintOf = (workspaces) => {
  const notes = workspaces.map((folder) => `${folder}/dist/.tsbuildinfo`);
  const hash = createHash('sha256');
  for (const file of [
    'package-lock.json',
    'deploy/services.json',
    'tools/provision/bundle-programs.mjs',
    ...notes,
  ])
    hash.update(`${file}\0`).update(existsSync(join(root, file)) ? readFileSync(join(root, file)) : '');
  return hash.digest('hex');
};

/** The folders of workspaces in a folder, such as `services/calls-logs`. */
export const workspacesIn = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

/**
 * Writes `<name>.js` for each entry, and the files that they share.
 * @param folder is emptied first
 * @param entries compiled modules by the names of their programs
 * @param workspaces folders of the sources that the programs are made of
 * @param plugins more plugins of the bundler
 */
export const bundlePrograms = async ({ folder, entries, workspaces, plugins = [] }) => {
  const sources = fingerprintOf(workspaces) + JSON.stringify(entries);
  const fingerprintFile = join(folder, 'sources');
  if (existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === sources) return;
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: entries,
    cwd: root,
    platform: 'node',
    // The programs are compiled, and the image has no tsconfig.json of workspaces that it does not run.
    tsconfig: false,
    plugins: [...plugins, ownAddresses(folder)],
    external: (id, importer) =>
      id === servesItself || id.startsWith(`${servesItself}/`) || (isBare(id) && isLeftToNest(id, importer)),
    onLog: (_, { code, message }) => {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    // V8 keeps the source of a module in memory, and one character outside of Latin-1 doubles its size. Stack traces name lines, so
    // the code stays readable. Licenses stay with the code that they are about.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    // Errors and providers are told apart by the names of their classes.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: chunkName,
  });
  await bundle.close();
  writeFileSync(fingerprintFile, sources);
};
