// Writes dist/served: what the gateway serves of the console, with each file compressed beforehand. A build whose sources have
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
    '../libs/client/src',
    '../libs/contracts/src',
    '../libs/errors/src',
    '../libs/widget/src',
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

const bundle = async () => {
  const { build } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  const { default: tailwind } = await import('@tailwindcss/vite');
  await build({
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
    },
  });
};

const compress = (file) => {
  const content = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: 10 } }));
  const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`;
  return { path: relative(served, file).replaceAll('\\', '/'), integrity };
};

if (!isCurrent) {
  rmSync(served, { recursive: true, force: true });
  await bundle();
  const files = filesIn(served).map(compress);
  // Last: a build that was killed before is repeated.
  writeFileSync(manifestFile, `${JSON.stringify({ sources: fingerprint, files }, null, 2)}\n`);
}
