// The order in which test files are run. A machine without a record of former runs may begin its slowest files last, and
// wait for them with idle workers. Files that start a whole platform come early, but apart from each other. Pure ones,
// which take no time, fill the end.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

const kindOf = ({ context }) => context.config.displayName?.name;
const sizeOf = (path) => statSync(path).size;
/** A suite may have its cases in a folder beside it. */
const casesOf = (path) => {
  const folder = join(dirname(path), 'cases');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};
const weightOf = ({ path }) => [path, ...casesOf(path)].reduce((sum, file) => sum + sizeOf(file), 0);
const largestFirst = (a, b) => weightOf(b) - weightOf(a) || a.path.localeCompare(b.path);

/** Between two platforms come at least so many other files. */
const apart = 8;

export default class TestOrder extends Sequencer {
  sort(tests) {
    const of = (kind) => [...tests].filter((test) => kindOf(test) === kind).sort(largestFirst);
    const platforms = of('e2e');
    const others = of('int');
    const rest = tests
      .filter((test) => !platforms.includes(test) && !others.includes(test))
      .sort(largestFirst);
    const order = [];
    while (platforms.length > 0) order.push(platforms.shift(), ...others.splice(0, apart));
    return [...order, ...others, ...rest];
  }
}
