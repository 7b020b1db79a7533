// npm run es:rebuild: see libs/ops/src/commands.ts
import { runTool } from './lib/tools.mjs';

await runTool('es:rebuild');
