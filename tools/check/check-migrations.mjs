// npm run check: does every migration declare its effect on the release before, and have no other? Run directly, it prints
// the ones that do not.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintMigrations, releases } from '../../libs/postgres/dist/lint.js';
import { root } from '../../scripts/lib/prepare.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const folders = [
  'gateway',
  'libs/postgres',
  ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
]
  .map((workspace) => `${workspace}/migrations`)
  .filter((folder) => existsSync(join(root, folder)));
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder)).map((file) => ({ folder, file, text: read(join(folder, file)) })),
);
const unmarked = JSON.parse(read('libs/postgres/unmarked-migrations.json'));
const { version } = JSON.parse(read('package.json'));
const problems = [...lintMigrations({ files, unmarked, releases })];
if (releases.at(-1) !== version)
  problems.push(
    `libs/postgres/src/releases.ts ends with ${releases.at(-1)}, and package.json says ${version}`,
  );
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
