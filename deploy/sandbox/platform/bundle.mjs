// Writes dist/programs: the processes of `npm start`, as the image has those of the platform. Tests start them dozens of times.
import { join } from 'node:path';
import { bundlePrograms, root, workspacesIn } from '../../image/bundle-programs.mjs';

const compiled = join(root, 'deploy/sandbox/platform/dist');
const programs = ['main', 'services-process', 'stand-ins-process'];

await bundlePrograms({
  folder: join(compiled, 'programs'),
  entries: Object.fromEntries(programs.map((name) => [name, join(compiled, `${name}.js`)])),
  workspaces: ['gateway', ...['libs', 'services', 'deploy/sandbox'].flatMap(workspacesIn)],
});
