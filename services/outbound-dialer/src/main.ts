import { runServiceCommand } from '@parlance/ops';
import { runSealingMain } from '@parlance/ops/main';
import { runQuotasCommand } from '@parlance/ops/quotas';
import { Env, operations, quotas, sealing, start } from './index.js';

await runSealingMain({
  env: Env,
  sealing,
  start,
  commands: [(host) => runQuotasCommand(quotas, host), (host) => runServiceCommand(operations, host)],
});
