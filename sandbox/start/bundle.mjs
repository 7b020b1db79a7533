// Writes dist/programs: the processes of `npm start`, as the image has those of the platform. Tests start them dozens of times.
import { join } from 'node:path';
import { bundlePrograms, root, workspacesIn } from '../../tools/provision/bundle-programs.mjs';

const compiled = join(root, 'sandbox/start/dist');
const programs = ['main', 'services-process', 'stand-ins-process'];

await bundlePrograms({
  folder: join(compiled, 'programs'),
  entries: Object.fromEntries(programs.map((name) => [name, join(compiled, `${name}.js`)])),
  workspaces: [
    'gateway',
    ...['libs', 'packages', 'services', 'sandbox/fakes', 'sandbox'].flatMap(workspacesIn),
  ],
});
