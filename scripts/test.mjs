// npm test: every test, on the real engines or their wire-level fakes. Arguments go to jest:
//   npm test -- services/outbound-dialer       only one folder
//   npm test -- -t 'releases the slot'         only tests with this name
import { jest } from './lib/jest.mjs';
import { build, install } from './lib/prepare.mjs';

await install();
build();
jest(...process.argv.slice(2));
