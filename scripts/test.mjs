// npm test: every test, on the real engines or their wire-level stand-ins. Arguments go to jest:
//   npm test -- --selectProjects unit          only the pure ones (seconds)
//   npm test -- services/outbound-dialer       only one folder
import { build, install, run } from './lib/prepare.mjs';

install();
build();
run(process.execPath, [
  '--experimental-vm-modules',
  '--no-warnings=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  ...process.argv.slice(2),
]);
