// Writes the version of the release in all places that name it: node scripts/set-version.mjs 0.2.0. With --check, names the places
// that differ from package.json.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesWithVersion } from './lib/versions.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file) => readFileSync(join(root, file), 'utf8');
const manifests = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !/^(examples\/generated-clients|runtime\/voice)\//.test(file));
const [wanted = ''] = process.argv.slice(2);

if (wanted === '--check') {
  const { version } = JSON.parse(read('package.json'));
  const different = filesWithVersion(read, manifests, version);
  for (const { file } of different)
    console.log(`${file} does not have version ${version}: node scripts/set-version.mjs ${version}`);
  process.exit(different.length === 0 ? 0 : 1);
}
if (!/^\d+\.\d+\.\d+$/.test(wanted)) {
  console.error(
    'Usage: node scripts/set-version.mjs <version, such as 0.2.0>\n       node scripts/set-version.mjs --check',
  );
  process.exit(2);
}
for (const { file, after } of filesWithVersion(read, manifests, wanted)) {
  writeFileSync(join(root, file), after);
  console.log(`wrote ${file}`);
}
console.log(
  'Next: add the version to libs/postgres/src/releases.ts, then npm install --package-lock-only, npm run gen, npm run contract:keep.',
);
