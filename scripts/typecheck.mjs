// npm run typecheck: compiles the changed files, and checks the types of the tests.
import { compile, install, runTool } from './lib/prepare.mjs';

await install();
compile();
for (const project of ['tsconfig.test.json', 'tsconfig.test.browser.json']) runTool('tsc', ['-p', project]);
