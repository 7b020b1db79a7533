// npm run clean: deletes the files of a build. Data in .parlance/ stays.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/prepare.mjs';

const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
for (const { path } of references) rmSync(join(root, path, 'dist'), { recursive: true, force: true });
