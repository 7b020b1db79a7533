// npm run check: can the contract of this code and the one of the release before work side by side? Run with --keep, it keeps the
// contract of this code as that of the version in package.json.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge, printSnapshot, takeSnapshot } from '../../libs/contracts/dist/compatibility/index.js';
import { releases } from '../../libs/postgres/dist/lint.js';
import { root } from '../../scripts/lib/prepare.mjs';

const folder = join(root, 'libs/contracts/releases');
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const present = takeSnapshot(version);

if (process.argv.includes('--keep')) {
  const path = join(folder, `${version}.json`);
  if (existsSync(path)) {
    console.log(
      `${version} is kept already: a release does not change. Raise the version in package.json first.`,
    );
    process.exit(1);
  }
  writeFileSync(path, printSnapshot(present));
  console.log(`kept the contract of ${version}: libs/contracts/releases/${version}.json`);
  process.exit(0);
}

const kept = releases.filter((release) => existsSync(join(folder, `${release}.json`)));
const unknown = readdirSync(folder).filter(
  (file) => file !== 'harmless.json' && !releases.some((release) => file === `${release}.json`),
);
const problems = [
  ...unknown.map((file) => `libs/contracts/releases/${file} is of no release`),
  ...releases
    .slice(0, -1)
    .filter((release) => !kept.includes(release))
    .map((release) => `the contract of release ${release} is not kept`),
  ...(kept.length === 0 ? ['no contract is kept: npm run contract:keep'] : []),
];
const harmless = read('harmless.json');
const snapshots = [...kept.map((release) => read(`${release}.json`)), present];
for (const [index, newer] of snapshots.slice(1).entries())
  problems.push(...judge(snapshots[index], newer, harmless));
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
