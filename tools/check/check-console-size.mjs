// npm run check: the script that a person waits for. The first load of the console keeps to 200 KB (gzip), before the sign-in and
// behind it. Each screen keeps to 100 KB more. Reads the build, without a browser. Run directly, it prints every break; with --all,
// it prints every size.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';

const kilobyte = 1_000;
const mostOfFirstLoad = 200 * kilobyte;
const mostOfScreen = 100 * kilobyte;
/** Each file is asked for by itself. */
const mostFiles = 25;

/** Kilobytes of the files that every visit has, on 24 November 2026: a failure names the file that has grown since. */
const noted = { react: 68, libraries: 66, index: 23, form: 20, frame: 15, both: 4 };

const served = join(root, 'console', 'dist', 'served');
const manifestFile = join(served, 'manifest.json');
const problems = [];

const { scripts = [] } = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {};
const byPath = new Map(scripts.map((script) => [script.path, script]));
const sizes = new Map(scripts.map(({ path }) => [path, statSync(join(served, `${path}.gz`)).size]));
const holding = (source) => scripts.find(({ parts }) => source in parts);

/** A file and everything that it imports at once. */
const loaded = (...roots) => {
  const found = new Set();
  const walk = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const next of byPath.get(path).imports) walk(next);
  };
  for (const script of roots) walk(script.path);
  return found;
};
const sum = (files) => [...files].reduce((total, file) => total + sizes.get(file), 0);
const text = (bytes) => `${(bytes / kilobyte).toFixed(1)} KB`;

const describe = (files) =>
  [...files]
    .map((path) => ({ path, ...byPath.get(path), size: sizes.get(path) }))
    .map((script) => ({ ...script, grown: script.size - (noted[script.name] ?? 0) * kilobyte }))
    .sort((a, b) => b.grown - a.grown)
    .slice(0, 5)
    .flatMap(({ path, name, size, grown, parts }) => {
      const since =
        name in noted ? `${grown < 0 ? '' : '+'}${text(grown)} since it was noted` : 'no size was noted';
      const heaviest = Object.entries(parts).sort(([, a], [, b]) => b - a);
      return [`  ${path}: ${text(size)}, ${since}`, ...heaviest.slice(0, 12).map(([part]) => `    ${part}`)];
    })
    .join('\n');

const remedy =
  'Load code at the moment of need with import(), take words of a screen out of its routes.ts, or leave a library away.';

const judge = (name, files, most) => {
  const size = sum(files);
  if (process.argv.includes('--all')) console.log(`${name}: ${text(size)} in ${files.size} files`);
  if (size > most)
    problems.push(
      `${name} takes ${text(size)} of script (gzip), and may take ${text(most)}. ${remedy}\nIts files, the most grown first, with their heaviest parts:\n${describe(files)}`,
    );
  if (files.size > mostFiles)
    problems.push(
      `${name} takes ${files.size} files of script, and may take ${mostFiles}: extend chunkGroups in console/build.mjs`,
    );
};

/** Screens by the files of routes: each comes with the frame of people inside, or with that of strangers. */
const screensIn = (file) => {
  const source = readFileSync(file, 'utf8');
  const isForStrangers = source.includes('guestRoute');
  return [...source.matchAll(/lazyRouteComponent\(\s*\(\) => import\('([^']+)\.js'\)/g)].map(([, to]) => ({
    source: relative(join(root, 'console'), join(dirname(file), `${to}.tsx`)).replaceAll('\\', '/'),
    isForStrangers,
  }));
};
const areas = join(root, 'console', 'src', 'screens');
const screens = readdirSync(areas)
  .map((area) => join(areas, area, 'routes.ts'))
  .filter((file) => existsSync(file))
  .flatMap(screensIn);

const need = (source) => {
  const script = holding(source);
  if (script === undefined)
    problems.push(`no file of the console's build holds ${source}: node console/build.mjs`);
  return script;
};

const [main, frame, guestFrame, signIn] = [
  'src/main.tsx',
  'src/app/shell.tsx',
  'src/app/guest-frame.tsx',
  'src/screens/entry/sign-in-screen.tsx',
].map(need);
if (screens.length === 0) problems.push('no screen was found in console/src/screens/*/routes.ts');

/** The console's own parts that a screen opens by itself, such as a chart; schemas and voices wait for a person. */
const ownParts = (files) =>
  [...files]
    .flatMap((path) => byPath.get(path).lazy)
    .map((path) => byPath.get(path))
    .filter(({ parts }) => Object.keys(parts).some((part) => /^src\/(?!forms\/)/.test(part)));

if (problems.length === 0) {
  const page = readFileSync(join(served, 'index.html'), 'utf8');
  for (const path of loaded(main))
    if (!page.includes(`"/${path}"`))
      problems.push(
        `index.html does not name ${path}, so a browser would find it late: see modulePreload of Vite`,
      );
  judge('the sign-in', loaded(main, guestFrame, signIn), mostOfFirstLoad);
  const inside = loaded(main, frame);
  judge('the frame behind the sign-in', inside, mostOfFirstLoad);
  for (const { source, isForStrangers } of screens) {
    const before = isForStrangers ? loaded(main, guestFrame) : inside;
    const script = need(source);
    if (script === undefined) continue;
    const beside = (files) => new Set([...files].filter((path) => !before.has(path)));
    const own = beside(loaded(script));
    judge(source, beside(loaded(script, ...ownParts(own))), mostOfScreen);
  }
}

for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
