// npm run trace: see libs/ops/src/commands.ts
import { runTool } from './lib/tools.mjs';

await runTool('trace');
