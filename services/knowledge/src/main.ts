import { loadProcessEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { runQuotasCommand } from '@parlance/ops/quotas';
import { Env, quotas, start } from './index.js';

const status = await runQuotasCommand(quotas, {
  args: process.argv.slice(2),
  variables: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
});
if (status === undefined) await runMain(async () => start(loadProcessEnv(Env)));
else process.exitCode = status;
