// Writes dist/served: the files of the console that the gateway serves, each compressed beforehand. A build whose sources have
// not changed is not repeated.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

const root = dirname(fileURLToPath(import.meta.url));
const served = join(root, 'dist', 'served');
const manifestFile = join(served, 'manifest.json');

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .sort();

/** Everything that the result depends on. */
const sources = () => [
  ...['index.html', 'build.mjs', 'package.json', '../package-lock.json'].map((name) => join(root, name)),
  ...[
    'src',
    '../packages/client/src',
    '../libs/contracts/src',
    '../libs/errors/src',
    '../packages/widget/src',
  ].flatMap((name) => filesIn(join(root, name))),
];

const fingerprintOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
};

const fingerprint = fingerprintOf(sources());
const isCurrent =
  existsSync(manifestFile) && JSON.parse(readFileSync(manifestFile, 'utf8')).sources === fingerprint;

// Files that load together are one file each: they compress better, and the browser asks less often. A group brings the imports
// of its modules. Libraries change less often than the console, so a browser keeps their files from release to release.
const chunkGroups = [
  {
    name: 'react',
    tags: ['$initial'],
    test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
    priority: 5,
  },
  { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 4 },
  { name: 'first', tags: ['$initial'], priority: 3 },
  // Before the sign-in and behind it: without this group, strangers would load the frame.
  {
    name: 'both',
    test: /src[\\/](data[\\/](access|commands)|forms[\\/]drafts|app[\\/]mark)\.tsx?$|[\\/]useLocation\.js$/,
    priority: 2,
  },
  { name: 'frame', test: /src[\\/]app[\\/]shell\.tsx$/, priority: 1 },
];

const bundle = async () => {
  const { build } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  const { default: tailwind } = await import('@tailwindcss/vite');
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), tailwind()],
    resolve: {
      conditions: ['parlance-source', 'module', 'browser', 'production'],
      // Radix writes style elements for its dialogs, which the policy of the page stops.
      alias: {
        'react-style-singleton': join(root, 'src', 'styles', 'style-singleton.ts'),
        // The list of public suffixes is larger than a whole screen: the platform looks a name up when the form is saved.
        tldts: join(root, 'src', 'forms', 'public-suffixes.ts'),
      },
    },
    build: {
      outDir: served,
      emptyOutDir: true,
      assetsDir: 'console-assets',
      // A file inside of a script is a data: address, which the policy stops for fonts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: ['es2022', 'chrome120', 'firefox121', 'safari17.2'],
      rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
    },
  });
  return output;
};

/** A file as `src/main.tsx`, the package that a module comes from, or the name of a module of the bundler. */
const partOf = (module) => {
  if (module.startsWith('\0')) return module.slice(1);
  const found = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(module)?.[1] ?? relative(root, module);
  return found.replaceAll('\\', '/');
};

/** What is in the files of script: `npm run check` holds them to their sizes. Bytes are those before they are made small. */
const scriptsOf = (output) =>
  output.flatMap(({ type, fileName, name, imports, dynamicImports, modules }) => {
    if (type !== 'chunk') return [];
    const parts = {};
    for (const [module, { renderedLength }] of Object.entries(modules))
      parts[partOf(module)] = (parts[partOf(module)] ?? 0) + renderedLength;
    return [{ path: fileName, name, imports, lazy: dynamicImports, parts }];
  });

const compress = (file) => {
  const content = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: 10 } }));
  const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`;
  return { path: relative(served, file).replaceAll('\\', '/'), integrity };
};

if (!isCurrent) {
  rmSync(served, { recursive: true, force: true });
  const scripts = scriptsOf(await bundle());
  const files = filesIn(served).map(compress);
  // Last: a build that was killed before is repeated.
  writeFileSync(manifestFile, `${JSON.stringify({ sources: fingerprint, files, scripts }, null, 2)}\n`);
}
