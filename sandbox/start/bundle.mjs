// Writes dist/programs: the processes of `npm start`, as the image has those of the platform. Tests start them dozens of times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms, root, workspacesIn } from '../../tools/provision/bundle-programs.mjs';

const compiled = join(root, 'sandbox/start/dist');
const programs = {
  main: 'main',
  dev: 'dev/dev',
  'services-process': 'services-process',
  'stand-ins-process': 'stand-ins-process',
};

/** The packages of the registry in the place of a name that is known at run time only. */
const services = () => {
  const { processes } = JSON.parse(readFileSync(join(root, 'deploy/services.json'), 'utf8'));
  const packages = [...processes.map((row) => row.package), '@parlance/text-runtime'];
  const loaders = packages.map((name) => `'${name}': () => import('${name}'),`);
  return {
    name: 'services',
    load: {
      filter: { id: /\/service-modules\.js$/ },
      handler: () =>
        `const loaders = {${loaders.join('')}};export const importService = (name) => loaders[name]();`,
    },
  };
};

await bundlePrograms({
  folder: join(compiled, 'programs'),
  entries: Object.fromEntries(
    Object.entries(programs).map(([name, file]) => [name, join(compiled, `${file}.js`)]),
  ),
  plugins: [services()],
  workspaces: [
    'gateway',
    ...['libs', 'packages', 'services', 'runtime', 'sandbox/fakes', 'sandbox'].flatMap(workspacesIn),
  ],
});
