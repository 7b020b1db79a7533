// npm run check: no two folders of a workspace import each other. Of the services, one is held to it so far.
import { root } from '../../scripts/lib/prepare.mjs';
import { folderPairs } from './folder-pairs.mjs';

const problems = folderPairs(root, [
  'libs',
  'packages',
  'gateway',
  'services/outbound-dialer',
  'runtime',
  'console',
  'tools',
  'sandbox',
  'tests',
]);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
