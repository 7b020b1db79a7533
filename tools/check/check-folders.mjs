// npm run check: no two folders of a workspace import each other. The services are not held to it yet.
import { root } from '../../scripts/lib/prepare.mjs';
import { folderPairs } from './folder-pairs.mjs';

const problems = folderPairs(root, [
  'libs',
  'packages',
  'gateway',
  'runtime',
  'console',
  'tools',
  'sandbox',
  'tests',
]);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
