// npm run check: has every image of others an exact version, and the same digest wherever it has one? With --release, each has a digest.
import { root } from '../../scripts/lib/prepare.mjs';
import { imageFiles, imageProblems } from './image-references.mjs';

const problems = imageProblems(imageFiles(root), { isRelease: process.argv.includes('--release') });
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
