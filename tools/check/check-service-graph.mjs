// npm run check: does a request between services close a cycle, or go against the order of services? With --print, it prints the
// graph.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callables } from '../../libs/contracts/dist/index.js';
import { releases } from '../../libs/postgres/dist/releases.js';
import { root } from '../../scripts/lib/prepare.mjs';
import { arrowsOf, formerProblems, graphProblems, listed, orderProblems } from './service-graph.mjs';

const order = listed(readFileSync(join(root, 'tools/check/service-order.txt'), 'utf8'));

if (process.argv.includes('--print'))
  for (const { from, to, requests } of arrowsOf(callables))
    console.log(`${from} > ${to}: ${requests.join(', ')}`);
const problems = [
  ...graphProblems(callables),
  ...orderProblems(callables, order),
  ...formerProblems(callables, releases),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
