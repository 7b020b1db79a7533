// npm run test:watch: after each edit, the unit and integration tests that depend on the changed files. Arguments go to jest.
import { jest } from './lib/jest.mjs';
import { build, install } from './lib/prepare.mjs';

await install();
build();
jest('--watch', ...process.argv.slice(2), '--selectProjects', 'unit', 'int');
