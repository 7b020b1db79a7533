// npm installs the development packages of a workspace that is named with --workspace when another workspace, such as a test
// fixture, lists them as its dependencies: --omit=dev skips only what nothing else needs. This removes them from the manifests.
import { readFileSync, writeFileSync } from 'node:fs';

/** The gateway serves this workspace's bundles, which contain its packages. */
const served = 'packages/widget';

const change = (file, edit) => {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  edit(content);
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
};

const reduce = (folder) => (manifest) => {
  delete manifest.devDependencies;
  if (folder === served) delete manifest.dependencies;
};

change('package-lock.json', ({ packages }) => {
  for (const folder of Object.keys(packages).filter((path) => !path.includes('node_modules/'))) {
    reduce(folder)(packages[folder]);
    change(folder === '' ? 'package.json' : `${folder}/package.json`, reduce(folder));
  }
});
