// npm run check: do the generators of clients that npm brings write clients of the interface document that compile? They are
// installed beside the example, because both need a TypeScript of their own. Run directly, it prints what does not compile.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isInstalled } from '../../scripts/lib/installed.mjs';
import { npmOptions, root } from '../../scripts/lib/prepare.mjs';

const folder = join(root, 'examples/generated-clients');

/** Runs a command in the folder of the example, and returns whether it succeeded. */
const run = (command, args) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  return status === 0;
};

if (isInstalled(folder) || run('npm', ['ci', '--ignore-scripts', ...npmOptions]))
  process.exitCode =
    run('npm', ['run', 'generate']) && run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]) ? 0 : 1;
// Without a network, only the generators cannot be had. A release is built by CI, which has one.
else if (process.env.CI === undefined) console.log('not checked: the generators could not be installed');
else process.exitCode = 1;
