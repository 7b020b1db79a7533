// Prints the changelog of the version that a tag releases, or refuses the tag: node scripts/release-notes.mjs v0.2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseProblems, sectionOf } from './lib/changelog.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file) => readFileSync(join(root, file), 'utf8');
const packages = ['package.json', 'packages/client/package.json', 'packages/widget/package.json'];

const [tag = ''] = process.argv.slice(2);
const changelog = read('CHANGELOG.md');
const versions = Object.fromEntries(packages.map((file) => [file, JSON.parse(read(file)).version]));
const problems = releaseProblems(tag, versions, changelog);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(sectionOf(changelog, tag.slice(1)));
