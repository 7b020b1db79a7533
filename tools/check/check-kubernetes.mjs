// npm run check: are the Kubernetes manifests current, valid, confined and complete? Run directly, it prints the problems.
import { kubernetesProblems } from '../kubernetes/dist/index.js';

const problems = kubernetesProblems();
for (const problem of problems) console.log(`deploy/kubernetes: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
