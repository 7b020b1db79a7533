import { runSealingMain } from '@parlance/ops/main';
import { Env, sealing, start } from './index.js';

await runSealingMain({ env: Env, sealing, start });
