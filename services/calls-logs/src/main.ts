import { loadProcessEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { runServiceCommand } from '@parlance/ops';
import { Env, operations, start } from './index.js';
import { runWebhookCommand } from './webhooks/commands.js';

const host = {
  args: process.argv.slice(2),
  variables: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
};
const status = (await runWebhookCommand(host)) ?? (await runServiceCommand(operations, host));
if (status === undefined) await runMain(async () => start(loadProcessEnv(Env)));
else process.exitCode = status;
