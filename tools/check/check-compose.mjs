// npm run check: is docker-compose.yml valid, complete, pinned, watched, documented, and does the file for telephones fit it? Run
// directly, it prints the problems.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';
import { checkCompose, checkTelephony, processes } from '../compose/dist/index.js';

const read = (file) => readFileSync(join(root, file), 'utf8');
const services = readdirSync(join(root, 'services'), { withFileTypes: true });
const problems = checkCompose({
  compose: read('docker-compose.yml'),
  envExample: read('.env.example'),
  operations: read('docs/operations.md'),
  folders: ['gateway', ...services.filter((entry) => entry.isDirectory()).map(({ name }) => name)],
  processes,
});
const telephonyProblems = checkTelephony({
  compose: read('docker-compose.yml'),
  telephony: read('deploy/compose/telephony.yml'),
  envExample: read('.env.example'),
  processes,
});
for (const problem of problems) console.log(`docker-compose.yml: ${problem}`);
for (const problem of telephonyProblems) console.log(`deploy/compose/telephony.yml: ${problem}`);
process.exitCode = problems.length + telephonyProblems.length === 0 ? 0 : 1;
