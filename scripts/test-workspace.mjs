// npm test -w services/<name>: the tests of one workspace, which is the working directory. Arguments go to jest.
import { sep } from 'node:path';
import { jest } from './lib/jest.mjs';
import { build, install, root } from './lib/prepare.mjs';

const folder = process.cwd() + sep;
if (!folder.startsWith(root) || folder === root) {
  console.error('Run it for one workspace of this repository, such as: npm test -w services/agents-config');
  process.exit(2);
}
await install();
build();
jest('--testPathPatterns', folder.replaceAll(/[.+()[\]\\]/g, '\\$&'), ...process.argv.slice(2));
