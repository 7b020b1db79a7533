// npm run gen: writes what is folded from the contract and from the schemas of variables, and committed; with --check,
// only says whether it is current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { envExample, variableNamesFile } from '../deploy/compose/dist/index.js';
import { kubernetesFiles } from '../deploy/kubernetes/dist/index.js';
import { monitoringFiles } from '../deploy/observability/dist/index.js';
import { generatedFiles } from '../gateway/dist/generated-files.js';
import { metricsPage } from '../libs/metrics/dist/index.js';
import { root } from './lib/prepare.mjs';

const checkOnly = process.argv.includes('--check');
let stale = 0;
const read = (path) => readFileSync(join(root, path), 'utf8');
const compose = read('docker-compose.yml');
const files = [
  ...generatedFiles(),
  { path: '.env.example', content: envExample(compose) },
  { path: 'libs/config/src/variable-names.ts', content: variableNamesFile() },
  { path: 'docs/metrics.md', content: metricsPage() },
  ...monitoringFiles(),
  ...kubernetesFiles({ compose, read }),
];
for (const { path, content } of files) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  if (checkOnly) {
    console.log(`${path} is not what its sources say; run: npm run gen`);
    stale += 1;
    continue;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${path}`);
}
process.exitCode = stale === 0 ? 0 : 1;
