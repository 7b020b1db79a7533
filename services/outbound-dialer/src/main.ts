import { loadProcessEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { runServiceCommand } from '@parlance/ops';
import { Env, operations, start } from './index.js';

const status = await runServiceCommand(operations, {
  args: process.argv.slice(2),
  variables: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
});
if (status === undefined) await runMain(async () => start(loadProcessEnv(Env)));
else process.exitCode = status;
