import { loadProcessEnv } from '@parlance/config';
import { unwrapKeks } from '@parlance/crypto';
import { runMain } from '@parlance/observability';
import { runKekCommand } from '@parlance/ops/kek';
import { Env, sealing, start } from './index.js';

const status = await runKekCommand(sealing, {
  args: process.argv.slice(2),
  variables: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
});
if (status === undefined) await runMain(async () => start(await unwrapKeks(loadProcessEnv(Env))));
else process.exitCode = status;
