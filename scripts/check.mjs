// npm run check: everything that can be judged without running the platform. Names each failure and its remedy.
// npm run lint: with --lint, only the checks that read sources alone.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build, install, root } from './lib/prepare.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const checks = [
  [
    'types of the tests',
    [bin('tsc'), '-p', 'tsconfig.test.json', '--checkers', '1'],
    'mend the test; tsconfig.test.json lists the files',
  ],
  [
    'types of the tests in browsers',
    [bin('tsc'), '-p', 'tsconfig.test.browser.json', '--checkers', '1'],
    'mend the test; tsconfig.test.browser.json lists the files',
  ],
  ['format and lint', [bin('biome'), 'check', '--error-on-warnings', '.'], 'npm run format'],
  [
    'boundaries',
    [
      bin('depcruise'),
      '--config',
      '.dependency-cruiser.cjs',
      'packages',
      'libs',
      'services',
      'runtime',
      'gateway',
      'tools',
      'sandbox',
      'tests',
      'examples',
    ],
    'move the import; the rule says why',
  ],
  [
    'folders that import each other',
    [process.execPath, 'tools/check/check-folders.mjs'],
    'move what both need into the folder that owns it; tools/check/folder-pairs.mjs has the rule',
  ],
  [
    'boundaries of the console',
    [process.execPath, 'tools/check/check-console.mjs'],
    'move the import; the rule says why',
  ],
  [
    'sizes of the console',
    [process.execPath, 'tools/check/check-console-size.mjs'],
    'load less at once; tools/check/check-console-size.mjs has the goals, and with --all it prints every size',
  ],
  ['dead code', [bin('knip'), '--no-progress'], 'delete unused code'],
  [
    'generated files are current',
    [process.execPath, 'scripts/gen.mjs', '--check'],
    'npm run gen, and commit',
  ],
  [
    'one list of variables',
    [process.execPath, 'tools/check/check-environment.mjs'],
    'describe the variable in a schema; tools/check/check-environment.mjs lists reads that need none, with their reasons',
  ],
  [
    'migrations',
    [process.execPath, 'tools/check/check-migrations.mjs'],
    'correct the migration or its mark; libs/postgres/src/migration-lint.ts has the rules',
  ],
  [
    'the contract beside the release before',
    [process.execPath, 'tools/check/check-contract.mjs'],
    'change it in two releases, or add it to libs/contracts/releases/harmless.json with a reason; docs/upgrading.md',
  ],
  [
    'requests between services',
    [process.execPath, 'tools/check/check-service-graph.mjs'],
    'publish an event instead, or let the gateway request it; node tools/check/check-service-graph.mjs --print shows the graph',
  ],
  [
    'the interface document',
    [process.execPath, 'tools/check/check-document.mjs'],
    'mend gateway/src/docs or the row of the contract; tools/check/check-document.mjs has the rules and the exceptions',
  ],
  [
    'clients by generators of others',
    [process.execPath, 'tools/check/check-generators.mjs'],
    'mend gateway/src/docs; gateway/src/docs/openapi.spec.ts has the schemas that generators cannot take',
  ],
  [
    'tests of each workspace',
    [process.execPath, 'tools/check/check-workspaces.mjs'],
    'node tools/check/check-workspaces.mjs --write',
  ],
  [
    'dependencies have a reason',
    [process.execPath, 'tools/check/check-dependencies.mjs'],
    'add or remove the row in docs/dependencies.md',
  ],
  [
    'one version',
    [process.execPath, 'scripts/set-version.mjs', '--check'],
    'node scripts/set-version.mjs <version>',
  ],
  [
    'decisions',
    [process.execPath, 'tools/check/check-adr.mjs'],
    'correct the decision, its row in docs/adr/README.md or the reference; docs/adr/README.md has the template',
  ],
  [
    'documentation: links, and the code that docs/architecture.md names',
    [process.execPath, 'tools/check/check-architecture.mjs'],
    'correct the page; tools/check/documentation-links.mjs has the rules',
  ],
  [
    'images of others',
    [process.execPath, 'tools/check/check-images.mjs'],
    'write an exact version, and the same digest everywhere; tools/check/image-references.mjs has the rules',
  ],
  [
    'docker-compose.yml',
    [process.execPath, 'tools/check/check-compose.mjs'],
    'change docker-compose.yml; tools/compose/src/check.ts has the rules',
  ],
  [
    'Kubernetes manifests',
    [process.execPath, 'tools/check/check-kubernetes.mjs'],
    'change deploy/services.json or deploy/helm/parlance; tools/kubernetes/src/check has the rules',
  ],
];

const lint = new Set([
  'format and lint',
  'boundaries',
  'folders that import each other',
  'boundaries of the console',
]);

if (process.argv.includes('--help')) {
  console.log(`npm run check: install, compile, then ${checks.map(([name]) => name).join(', ')}`);
  process.exit(0);
}
const onlyLint = process.argv.includes('--lint');
await install();
if (!onlyLint) build();

const judge = ([name, [command, ...args], remedy]) =>
  new Promise((resolve) => {
    const started = Date.now();
    execFile(command, args, { cwd: root, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${error === null ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
      if (error !== null) console.log(`${stdout}${stderr}\n${error.message}\nTo mend: ${remedy}\n`);
      resolve(error === null);
    });
  });

// Most checks compute on one core: as many at once as there are cores.
const waiting = checks.filter(([name]) => !onlyLint || lint.has(name));
const judged = [];
const work = async () => {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
    judged.push(await judge(check));
};
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = judged.every(Boolean) ? 0 : 1;
