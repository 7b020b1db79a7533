// The text runtime as a process of its own.
import { loadProcessEnv } from '@parlance/config';
import { runMain } from '@parlance/observability';
import { help } from './help.js';
import { Env, start } from './index.js';

if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h'))
  process.stdout.write(help());
else await runMain(async () => start(loadProcessEnv(Env)));
