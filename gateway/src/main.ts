// The gateway as a process of its own.
import { loadEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { Env } from './env.js';
import { start } from './start.js';

await runMain(async () => start(loadEnv(Env)));
