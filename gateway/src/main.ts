// The gateway as a process of its own, and its command for operators.
import { loadProcessEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';

const [command, ...args] = process.argv.slice(2);
if (command === 'erasures') {
  const { erasuresCommand, runCommand } = await import('@parlance/ops');
  const { operations } = await import('./operations.js');
  process.exitCode = await runCommand(erasuresCommand([operations]), {
    args,
    services: [],
    find: () => ({ variablesOf: () => process.env, logs: [] }),
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
  });
} else {
  const { Env } = await import('./environment/env.js');
  const { start } = await import('./start.js');
  await runMain(async () => start(loadProcessEnv(Env)));
}
