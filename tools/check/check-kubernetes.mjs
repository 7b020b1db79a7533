// npm run check: are the Kubernetes manifests valid, confined and complete? Run directly, it prints the problems.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';
import { kubernetesProblems } from '../kubernetes/dist/index.js';

const read = (path) => readFileSync(join(root, path), 'utf8');
const services = readdirSync(join(root, 'services'), { withFileTypes: true });
const folders = ['gateway', ...services.filter((entry) => entry.isDirectory()).map(({ name }) => name)];
const problems = kubernetesProblems({ compose: read('docker-compose.yml'), read }, folders);
for (const problem of problems) console.log(`deploy/kubernetes: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
