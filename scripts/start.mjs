// npm start: install, build, and run the whole platform on this machine.
import { preflight } from './lib/preflight.mjs';
import { buildStart, install, root } from './lib/prepare.mjs';
import { help } from './lib/start-help.mjs';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(help);
  process.exit(0);
}
// Before the long work: npm may be killed meanwhile.
const parent = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid;
await preflight(root, args);
await install();
buildStart();
// In this process: no parent that could die and leave the platform running. For the same reason package.json says `exec`: npm
// passes signals on to its shell, which would keep them to itself.
const { main } = await import('../sandbox/start/dist/programs/main.js');
await main(args, parent, help);
