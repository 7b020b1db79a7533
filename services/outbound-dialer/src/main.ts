import { loadProcessEnv } from '@parlance/config';
import { unwrapKeks } from '@parlance/crypto';
import { runMain } from '@parlance/observability';
import { runServiceCommand } from '@parlance/ops';
import { runKekCommand } from '@parlance/ops/kek';
import { runQuotasCommand } from '@parlance/ops/quotas';
import { Env, operations, quotas, sealing, start } from './index.js';

const host = {
  args: process.argv.slice(2),
  variables: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
};
const status =
  (await runKekCommand(sealing, host)) ??
  (await runQuotasCommand(quotas, host)) ??
  (await runServiceCommand(operations, host));
if (status === undefined) await runMain(async () => start(await unwrapKeks(loadProcessEnv(Env))));
else process.exitCode = status;
