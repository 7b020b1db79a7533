// npm run gen: writes what is folded from the contract and committed; with --check, only says whether it is current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from '../gateway/dist/generated-files.js';
import { root } from './lib/prepare.mjs';

const checkOnly = process.argv.includes('--check');
let stale = 0;
for (const { path, content } of generatedFiles()) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  if (checkOnly) {
    console.log(`${path} is not what the contract says; run: npm run gen`);
    stale += 1;
    continue;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${path}`);
}
process.exitCode = stale === 0 ? 0 : 1;
