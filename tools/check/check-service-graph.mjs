// npm run check: does a request between services close a cycle that is not listed? With --print, it prints the graph and its cycles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callables } from '../../libs/contracts/dist/index.js';
import { releases } from '../../libs/postgres/dist/releases.js';
import { root } from '../../scripts/lib/prepare.mjs';
import { arrowsInCycles, arrowsOf, formerProblems, graphProblems } from './service-graph.mjs';

if (process.argv.includes('--print')) {
  const arrows = arrowsOf(callables);
  const backs = new Map(arrowsInCycles(arrows).map(({ from, to, back }) => [`${from} > ${to}`, back]));
  for (const { from, to, requests } of arrows) {
    const back = backs.get(`${from} > ${to}`);
    const cycle = back === undefined ? '' : `; back by ${back.join(' > ')}`;
    console.log(`${from} > ${to}: ${requests.join(', ')}${cycle}`);
  }
}
const problems = [
  ...graphProblems(callables, readFileSync(join(root, 'tools/check/service-cycles.txt'), 'utf8')),
  ...formerProblems(callables, releases),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
