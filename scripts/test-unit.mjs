// npm run test:unit: the tests without I/O. They need no engine and nothing compiled. Arguments go to jest.
import { jest } from './lib/jest.mjs';
import { install } from './lib/prepare.mjs';
import { unitWorkers } from './lib/workers.mjs';

await install();
const args = process.argv.slice(2);
// The list of projects comes last: jest would take a folder behind it for a project.
jest(...unitWorkers(args), ...args, '--selectProjects', 'unit');
