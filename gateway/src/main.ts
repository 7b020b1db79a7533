// The gateway as a process of its own.
import { loadProcessEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { Env } from './environment/env.js';
import { start } from './start.js';

await runMain(async () => start(loadProcessEnv(Env)));
