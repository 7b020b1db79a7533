// npm start: install, build, and run the whole platform on this machine.
import { build, install } from './lib/prepare.mjs';

install();
build();
// In this very process: no parent that could die and leave the platform running.
const { main } = await import('../deploy/sandbox/platform/dist/main.js');
await main(process.argv.slice(2));
