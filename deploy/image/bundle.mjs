// Writes dist/programs: each process of the platform, and the image's own commands, as a few files. They load in half of the
// time of the thousands of modules that they are made of. It reads compiled workspaces, so it runs after `tsc -b`. A build whose
// sources have not changed is not repeated.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const programs = join(here, 'dist/programs');

const services = readdirSync(join(root, 'services'));
const entries = {
  ...{ serve: join(here, 'dist/serve.js'), commands: join(here, 'dist/main.js') },
  gateway: join(root, 'gateway/dist/main.js'),
  ...Object.fromEntries(services.map((name) => [name, join(root, 'services', name, 'dist/main.js')])),
};

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
const ownAddresses = {
  name: 'own-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => {
      const path = JSON.stringify(relative(programs, id).split(sep).join('/'));
      return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
    },
  },
};

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
const fingerprint = () => {
  const folders = ['libs', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  const notes = ['gateway', 'deploy/image', ...folders].map((folder) => `${folder}/dist/.tsbuildinfo`);
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'deploy/image/bundle.mjs', ...notes])
    hash.update(`${file}\0`).update(existsSync(join(root, file)) ? readFileSync(join(root, file)) : '');
  return hash.digest('hex');
};

const sources = fingerprint();
const fingerprintFile = join(programs, 'sources');
if (existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === sources) process.exit(0);

rmSync(programs, { recursive: true, force: true });
const bundle = await rolldown({
  input: entries,
  cwd: root,
  platform: 'node',
  plugins: [ownAddresses],
  external: (id, importer) =>
    id === servesItself || id.startsWith(`${servesItself}/`) || (isBare(id) && isLeftToNest(id, importer)),
  onLog: (_, { code, message }) => {
    if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
  },
});
await bundle.write({
  dir: programs,
  format: 'esm',
  // Errors and providers are told apart by the names of their classes.
  keepNames: true,
  entryFileNames: '[name].js',
  chunkFileNames: chunkName,
});
await bundle.close();
writeFileSync(fingerprintFile, sources);
