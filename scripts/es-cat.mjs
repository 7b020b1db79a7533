// npm run es:cat: see libs/ops/src/commands.ts
import { runTool } from './lib/tools.mjs';

await runTool('es:cat');
