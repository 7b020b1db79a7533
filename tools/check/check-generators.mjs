// npm run check: generates clients of the interface document with the generators that npm has, and compiles them. They are
// installed with the example, because both need a TypeScript of their own. Without a network nothing is checked.
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
else console.log('not checked: the generators could not be installed');
