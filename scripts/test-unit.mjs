// npm run test:unit: the tests without I/O. They need no engine and nothing compiled. Arguments go to jest.
import { jest } from './lib/jest.mjs';
import { install } from './lib/prepare.mjs';

await install();
// They wait for nothing, so one worker for each core is enough, and every further one would load the modules once more.
// The list of projects comes last: jest would take a folder behind it for a project.
jest('--maxWorkers=100%', ...process.argv.slice(2), '--selectProjects', 'unit');
