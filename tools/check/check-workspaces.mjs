// npm run check: can the specs of each workspace be run with `npm test -w <folder>`? With --write, adds the missing scripts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';
import { workspacesWithoutTest } from './workspace-tests.mjs';

const addScript = ({ folder, script }) => {
  const file = join(root, folder, 'package.json');
  const {
    name,
    version,
    private: isPrivate,
    description,
    license,
    type,
    scripts,
    ...rest
  } = JSON.parse(readFileSync(file, 'utf8'));
  const head = { name, version, private: isPrivate, description, license, type };
  const content = { ...head, scripts: { ...scripts, test: script }, ...rest };
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
  console.log(`wrote ${folder}/package.json`);
};

const missing = workspacesWithoutTest(root);
if (process.argv.includes('--write')) missing.forEach(addScript);
else {
  for (const { folder, script } of missing)
    console.log(`${folder} has specs, and its package.json lacks "scripts": { "test": "${script}" }`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
