// npm run gen: writes the committed files that are folded from the contract and from the schemas of variables. With
// --check, it only tells whether they are current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, compile, install, root } from './lib/prepare.mjs';

const checkOnly = process.argv.includes('--check');
let stale = 0;
const read = (path) => readFileSync(join(root, path), 'utf8');
const write = ({ path, content }) => {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  if (checkOnly) {
    console.log(`${path} differs from its sources; run: npm run gen`);
    stale += 1;
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${path}`);
};

// What the compiler needs comes first: the list of services, and the projects that it compiles.
await install();
compile('tools/registry');
const { loadRegistry, registryProblems, servicesFile, withReferences, withTables, withTargets } =
  await import('../tools/registry/dist/index.js');
const registry = loadRegistry();
const problems = registryProblems(registry);
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exit(1);
write(servicesFile(registry));
write({ path: 'tsconfig.json', content: withReferences(registry, read('tsconfig.json')) });

// The client next: the programs that use it compile only with the operations that the contract has now.
compile('gateway', 'tools/client-codegen');
const { buildContractDocument } = await import('../gateway/dist/index.js');
const { clientFiles } = await import('../tools/client-codegen/dist/index.js');
const { version } = JSON.parse(read('packages/client/package.json'));
for (const file of clientFiles(buildContractDocument(), version)) write(file);

build();
const { generatedFiles } = await import('../gateway/dist/generated-files.js');
const {
  composeWithDigest,
  configurationPage,
  envExample,
  natsConfigurationFiles,
  processes,
  variableNamesFile,
  withNatsServers,
  withProcesses,
} = await import('../tools/compose/dist/index.js');
const { chartFiles, renderedFiles, staleRenderings } = await import('../tools/kubernetes/dist/index.js');
const { monitoringFiles } = await import('../tools/observability/dist/index.js');
const { securityMapPage } = await import('../tools/check/security-map.mjs');
const { withServiceGraph } = await import('../tools/check/service-graph.mjs');
const { callables } = await import('../libs/contracts/dist/index.js');
const { metricsPage } = await import('../libs/metrics/dist/index.js');
const doctor = await import('../libs/doctor/dist/index.js');
const checks = [...doctor.checks, ...(await doctor.checksOfServices(pathToFileURL(`${root}/`)))];
const productionPath = 'deploy/compose/compose.production.yml';
const composeFiles = [
  composeWithDigest('docker-compose.yml', withProcesses(registry, processes, read('docker-compose.yml'))),
  composeWithDigest(productionPath, withNatsServers(registry, read(productionPath))),
];
const furtherFiles = ['compose.observability', 'telephony', 'voice'].map((name) =>
  read(`deploy/compose/${name}.yml`),
);
const architecturePath = 'docs/architecture.md';
const prometheusPath = 'deploy/observability/prometheus/prometheus.yml';
const files = [
  ...generatedFiles(),
  { path: '.env.example', content: envExample() },
  configurationPage([...composeFiles.map(({ content }) => content), ...furtherFiles]),
  { path: 'libs/config/src/variable-names.ts', content: variableNamesFile() },
  ...natsConfigurationFiles,
  ...composeFiles,
  { path: 'docs/metrics.md', content: metricsPage() },
  securityMapPage(root),
  { path: architecturePath, content: withServiceGraph(callables, read(architecturePath)) },
  { path: 'docs/doctor.md', content: doctor.doctorPage(checks) },
  ...monitoringFiles(),
  ...['docs/kubernetes.md', 'docs/operations.md'].map((path) => ({
    path,
    content: withTables(registry, read(path)),
  })),
  { path: prometheusPath, content: withTargets(registry, read(prometheusPath)) },
  ...chartFiles(),
];
for (const file of files) write(file);
// Helm renders the chart from the files above. Where it is not installed, the digest in the manifests tells whether they are current.
const rendered = renderedFiles();
for (const file of rendered ?? []) write(file);
if (rendered === undefined)
  for (const problem of staleRenderings()) {
    console.log(problem);
    stale += 1;
  }
process.exitCode = stale === 0 ? 0 : 1;
