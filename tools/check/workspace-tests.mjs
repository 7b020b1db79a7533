// The `test` script of each workspace that has specs.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const notSource = new Set(['node_modules', 'dist']);

/** Folders of this checkout that match a pattern of `workspaces`: a path, or a path and `/*`. */
const foldersOf = (root, pattern) => {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`);
};

const hasPackage = (folder) => readdirSync(folder).includes('package.json');

export const workspacesOf = (root) => {
  const patterns = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces;
  const excluded = new Set(patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1)));
  return patterns
    .filter((one) => !one.startsWith('!'))
    .flatMap((one) => foldersOf(root, one))
    .filter((folder) => !excluded.has(folder) && hasPackage(join(root, folder)));
};

const hasSpec = (folder) =>
  readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory()
      ? !notSource.has(entry.name) && hasSpec(join(folder, entry.name))
      : entry.name.endsWith('.spec.ts'),
  );

const scriptFor = (folder) => `node ${relative(folder, 'scripts/test-workspace.mjs').split(sep).join('/')}`;

/**
 * The workspaces with specs whose `test` script is missing or another one.
 * @returns their folders, each with the script that it should have
 */
export const workspacesWithoutTest = (root) =>
  workspacesOf(root)
    .filter((folder) => hasSpec(join(root, folder)))
    .map((folder) => ({ folder, script: scriptFor(folder) }))
    .filter(({ folder, script }) => {
      const { scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return scripts?.test !== script;
    });
