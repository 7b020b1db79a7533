// Tells whether the packages of package-lock.json are installed. npm keeps a lock file of its own inside node_modules, and writes
// it at the end of an install, so this holds for `npm ci` and `npm install` alike.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const same = ['version', 'resolved', 'integrity', 'link'];

/**
 * True when every package of the lock file is installed as it says. Packages for other platforms are optional and may be missing.
 * @param locked `packages` of package-lock.json
 * @param installed `packages` of node_modules/.package-lock.json
 */
export const matches = (locked, installed) =>
  Object.entries(locked).every(([path, wanted]) => {
    // The root and the folders of workspaces are no packages; node_modules has links to the latter.
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return same.every((field) => found[field] === wanted[field]);
  });

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {};

/**
 * The optional packages that package.json names and the lock file does not have, one sentence each. npm answers them with its whole
 * usage. A lock file that is missing is left to npm.
 */
export const lockProblems = (root) => {
  if (!existsSync(join(root, 'package-lock.json'))) return [];
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const locked = packagesIn(join(root, 'package-lock.json'));
  return Object.keys(optionalDependencies)
    .filter((name) => locked[`node_modules/${name}`] === undefined)
    .map(
      (name) =>
        `package-lock.json has no ${name}, which package.json names: run \`git checkout package-lock.json\`, or \`npm install\` to lock it.`,
    );
};

/** False for anything that a new install would mend, such as a package whose folder is gone. */
export const isInstalled = (root) => {
  try {
    const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
    if (!matches(packagesIn(join(root, 'package-lock.json')), installed)) return false;
    return Object.keys(installed).every((path) => existsSync(join(root, path, 'package.json')));
  } catch {
    return false;
  }
};
