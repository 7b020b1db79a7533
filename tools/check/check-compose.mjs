// npm run check: is docker-compose.yml valid, complete, pinned, watched and documented, alone and with each file that adds to it?
// Run directly, it prints the problems.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';
import { checkCompose, checkTelephony, processes, runtimes, secrets } from '../compose/dist/index.js';

const read = (file) => readFileSync(join(root, file), 'utf8');
const production = 'deploy/compose/compose.production.yml';
const observability = 'deploy/compose/compose.observability.yml';
const voice = 'deploy/compose/voice.yml';
const problems = [[], [production], [observability], [production, observability], [voice]].flatMap(
  (further) => {
    const files = ['docker-compose.yml', ...further];
    const found = checkCompose({
      compose: files.map(read),
      envExample: read('.env.example'),
      configuration: read('docs/configuration.md'),
      operations: read('docs/operations.md'),
      processes: [...processes, secrets, ...(further.includes(voice) ? runtimes : [])],
    });
    return found.map((problem) => `${files.join(' with ')}: ${problem}`);
  },
);
const telephonyProblems = checkTelephony({
  compose: read('docker-compose.yml'),
  telephony: read('deploy/compose/telephony.yml'),
  configuration: read('docs/configuration.md'),
  processes,
});
for (const problem of problems) console.log(problem);
for (const problem of telephonyProblems) console.log(`deploy/compose/telephony.yml: ${problem}`);
process.exitCode = problems.length + telephonyProblems.length === 0 ? 0 : 1;
