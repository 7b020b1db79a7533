// Writes dist/served: the files of the element that the gateway serves. The same sources give the same bytes. The version
// is a hash of them, so that a versioned address never has other contents. Files that are current are not written again: a
// gateway may be reading them. An argument names another folder.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { build, transform } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const served = process.argv[2] ?? join(root, 'dist', 'served');
const packageVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
const placeholder = 'version-of-these-files';

/** Style sheets are template strings in TypeScript; only here are they made small. */
const smallStyles = {
  name: 'small-styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]styles\.ts$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const [, css] = /export const css = `([^`]*)`;/.exec(source) ?? [];
      if (css === undefined) throw new Error(`${path} has no style sheet where one is expected`);
      const { code } = await transform(css, { loader: 'css', minify: true });
      return { contents: `export const css = ${JSON.stringify(code.trim())};`, loader: 'ts' };
    });
  },
};

const bundled = async (entry, options = {}) => {
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: [`src/${entry}`], bundle: true, write: false, minify: true },
    ...{ target: 'es2022', format: 'iife', legalComments: 'none', plugins: [smallStyles] },
    ...options,
  });
  return outputFiles[0].text;
};

const textsOf = async (language) => {
  const code = await bundled(`texts/${language}.ts`, { format: 'esm' });
  const { texts } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return `${JSON.stringify(texts)}\n`;
};

const translated = async () => {
  const code = await bundled('texts/languages.ts', { format: 'esm' });
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).translated;
};

const integrityOf = (content) => `sha384-${createHash('sha384').update(content).digest('base64')}`;
const notice = (name) => `/*! Parlance ${packageVersion}, Apache-2.0${name} */\n`;

const contents = {};
const clientVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies[
  'livekit-client'
];
contents['voice.js'] =
  notice(`, with livekit-client ${clientVersion}, Apache-2.0`) + (await bundled('script/voice-file.ts'));
contents['panel.js'] = notice('') + (await bundled('script/panel-file.ts'));
for (const language of await translated()) contents[`texts/${language}.json`] = await textsOf(language);
const integrity = Object.fromEntries(
  Object.entries(contents).map(([path, content]) => [path, integrityOf(content)]),
);
const loader = await bundled('script/widget.ts', {
  define: { PARLANCE_WIDGET_FILES: JSON.stringify({ version: placeholder, integrity }) },
});
const fingerprint = createHash('sha256').update(loader).digest('hex').slice(0, 12);
const version = `${packageVersion}-${fingerprint}`;
contents['widget.js'] = notice('') + loader.replaceAll(placeholder, version);

const files = Object.entries(contents).map(([path, content]) => ({ path, integrity: integrityOf(content) }));
const manifest = `${JSON.stringify({ version, files }, null, 2)}\n`;
const manifestFile = join(served, 'manifest.json');

if (!existsSync(manifestFile) || readFileSync(manifestFile, 'utf8') !== manifest) {
  rmSync(served, { recursive: true, force: true });
  for (const [path, content] of Object.entries(contents)) {
    const file = join(served, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: 10 } }));
  }
  // Last: a build that was killed before is repeated.
  writeFileSync(manifestFile, manifest);
}
