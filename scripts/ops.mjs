// npm run ops: see libs/ops-cli/src/service-commands.ts
import { runTool } from './lib/tools.mjs';

await runTool();
