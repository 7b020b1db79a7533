import { loadProcessEnv } from '@parlance/config';
import { runServiceMain } from '@parlance/ops/main';
import { runQuotasCommand } from '@parlance/ops/quotas';
import { Env, quotas, start } from './index.js';

await runServiceMain([(host) => runQuotasCommand(quotas, host)], async () => start(loadProcessEnv(Env)));
