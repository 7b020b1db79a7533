import { loadEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { Env, start } from './index.js';
import { RebuildEnv, rebuild } from './rebuild.js';

if (process.argv[2] === 'rebuild') await rebuild(loadEnv(RebuildEnv));
else await runMain(async () => start(loadEnv(Env)));
