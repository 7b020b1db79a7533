// npm test: every test, on the real engines or their wire-level fakes. Arguments go to jest:
//   npm test -- services/outbound-dialer       only one folder
//   npm test -- -t 'releases the slot'         only tests with this name
import { jest } from './lib/jest.mjs';
import { preflightOfTests } from './lib/preflight.mjs';
import { build, install, root } from './lib/prepare.mjs';

const args = process.argv.slice(2);
await preflightOfTests(root, args);
await install();
build();
jest(...args);
