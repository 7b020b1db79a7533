// npm run check: everything that can be judged without running the platform. Names what failed and how to mend it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, root } from './lib/prepare.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const checks = [
  ['format and lint', [bin('biome'), 'check', '--error-on-warnings', '.'], 'npm run format'],
  [
    'boundaries',
    [
      bin('depcruise'),
      '--config',
      '.dependency-cruiser.cjs',
      'libs',
      'services',
      'gateway',
      'deploy',
      'examples',
      'bench',
    ],
    'move the import; the rule says why',
  ],
  ['dead code', [bin('knip'), '--no-progress'], 'delete what nothing uses'],
  [
    'generated files are current',
    [process.execPath, 'scripts/gen.mjs', '--check'],
    'npm run gen, and commit',
  ],
  [
    'docker-compose.yml',
    [process.execPath, 'scripts/lib/check-compose.mjs'],
    'change docker-compose.yml; deploy/compose/src/check.ts has the rules',
  ],
];

if (process.argv.includes('--help')) {
  console.log(`npm run check: install, compile, then ${checks.map(([name]) => name).join(', ')}`);
  process.exit(0);
}
install();
build();
const failed = checks.filter(([name, [command, ...args], remedy]) => {
  const started = Date.now();
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  const ok = result.status === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (!ok) console.log(`${result.stdout}${result.stderr}\nTo mend: ${remedy}\n`);
  return !ok;
});
process.exit(failed.length === 0 ? 0 : 1);
