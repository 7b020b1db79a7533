// npm run check: does every relative link of the documentation lead somewhere, and does docs/architecture.md name code that exists?
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';
import { brokenLinks, missingNames } from './documentation-links.mjs';

const architecture = 'docs/architecture.md';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  // A file that was deleted and not staged is still listed.
  .filter((file) => file !== '' && existsSync(join(root, file)));
const read = (file) => readFileSync(join(root, file), 'utf8');
const pages = Object.fromEntries(
  files.filter((file) => file.endsWith('.md')).map((file) => [file, read(file)]),
);
const sources = new Set(files);
const problems = [
  ...brokenLinks(pages, files),
  ...missingNames(architecture, pages[architecture], (file) => (sources.has(file) ? read(file) : undefined)),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
