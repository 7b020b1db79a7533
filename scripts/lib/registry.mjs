// deploy/services.json as the scripts read it, before anything is installed or compiled. tools/registry judges the fields of its rows.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = 'deploy/services.json';
const rowsIn = (root) => JSON.parse(readFileSync(join(root, path), 'utf8')).processes;

/** The processes of the platform: their folders, and whether they listen on a port of their own. */
export const processesIn = (root) =>
  rowsIn(root).map(({ name, folder, ports }) => ({ name, folder, hasPort: ports !== undefined }));

/** A folder without a package is what another branch has left: `dist` and `node_modules`. */
const hasPackage = (root, folder) => existsSync(join(root, folder, 'package.json'));

const foldersIn = (root) =>
  ['gateway', ...readdirSync(join(root, 'services')).map((name) => `services/${name}`)].filter((folder) =>
    hasPackage(root, folder),
  );

/** What keeps rows and folders from belonging together, one sentence each. */
export const registryProblems = (root) => {
  let rows;
  try {
    rows = rowsIn(root);
  } catch (error) {
    return [`${path} cannot be read: ${error.message}`];
  }
  return [
    ...rows
      .filter(({ folder }) => !hasPackage(root, folder))
      .map(
        ({ name, folder }) =>
          `the row ${name} names the folder ${folder}, which has no package; add the folder, or remove the row`,
      ),
    ...foldersIn(root)
      .filter((folder) => !rows.some((row) => row.folder === folder))
      .map((folder) => `the folder ${folder} has no row; add one, or remove the folder`),
  ].map((problem) => `${path}: ${problem}`);
};
