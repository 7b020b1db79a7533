// Writes dist/programs: each process of the platform, and the image's own commands, as a few files. It reads compiled workspaces,
// so it runs after `tsc -b`.
import { join } from 'node:path';
import { bundlePrograms, root, workspacesIn } from './bundle-programs.mjs';

const services = workspacesIn('services');
const mainOf = (folder) => join(root, folder, 'dist/main.js');

await bundlePrograms({
  folder: join(root, 'tools/provision/dist/programs'),
  entries: {
    ...{ serve: join(root, 'tools/provision/dist/serve.js'), commands: mainOf('tools/provision') },
    ...{ gateway: mainOf('gateway'), 'text-runtime': mainOf('runtime/process') },
    ...Object.fromEntries(services.map((folder) => [folder.slice('services/'.length), mainOf(folder)])),
  },
  workspaces: ['gateway', 'tools/provision', ...['libs', 'runtime'].flatMap(workspacesIn), ...services],
});
