// npm run ops: see libs/ops/src/service-commands.ts
import { runTool } from './lib/tools.mjs';

await runTool();
