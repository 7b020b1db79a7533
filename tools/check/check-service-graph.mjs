// npm run check: does a request between services close a cycle that is not listed, or go against the order of services? With --print,
// it prints the graph, its cycles, and the arrows against the order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callables } from '../../libs/contracts/dist/index.js';
import { releases } from '../../libs/postgres/dist/releases.js';
import { root } from '../../scripts/lib/prepare.mjs';
import {
  arrowsInCycles,
  arrowsOf,
  formerProblems,
  graphProblems,
  isUp,
  listed,
  orderProblems,
} from './service-graph.mjs';

const read = (name) => readFileSync(join(root, 'tools/check', name), 'utf8');
const cycles = read('service-cycles.txt');
const order = listed(read('service-order.txt'));

if (process.argv.includes('--print')) {
  const arrows = arrowsOf(callables);
  const backs = new Map(arrowsInCycles(arrows).map(({ from, to, back }) => [`${from} > ${to}`, back]));
  for (const arrow of arrows) {
    const { from, to, requests } = arrow;
    const back = backs.get(`${from} > ${to}`);
    const cycle = back === undefined ? '' : `; back by ${back.join(' > ')}`;
    const up = from !== 'gateway' && isUp(arrow, order) ? '; up' : '';
    console.log(`${from} > ${to}: ${requests.join(', ')}${up}${cycle}`);
  }
}
const problems = [
  ...graphProblems(callables, cycles),
  ...orderProblems(callables, order, cycles),
  ...formerProblems(callables, releases),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
