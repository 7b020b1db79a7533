import { loadProcessEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { Env, start } from './index.js';

await runMain(async () => start(loadProcessEnv(Env)));
