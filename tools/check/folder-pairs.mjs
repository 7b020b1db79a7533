// Pairs of folders of one workspace in which each imports from the other. A spec may import the helpers of a testing folder, although
// these are made of the folder that it tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

const notSource = new Set(['node_modules', 'dist']);
const isSpec = /\.spec\.tsx?$/;
const isSource = /(?<!\.d)\.[mc]?tsx?$/;
/** A static import, a re-export, or an import() of a file of the same workspace. */
const relativeImport = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** Every workspace in a folder: itself, or those below it. */
const workspacesIn = (folder) => {
  if (existsSync(join(folder, 'package.json'))) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notSource.has(entry.name))
    .flatMap(({ name }) => workspacesIn(join(folder, name)));
};

const sourcesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notSource.has(entry.name) ? [] : sourcesIn(path);
    return isSource.test(entry.name) ? [path] : [];
  });

/** Imports between folders of a workspace, as one example for each direction: from folder, to folder, importing and imported file. */
const arrowsOf = (workspace) => {
  const arrows = new Map();
  for (const file of sourcesIn(workspace))
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(relativeImport)) {
      const imported = join(dirname(file), specifier);
      const [from, to] = [dirname(file), dirname(imported)];
      if (from === to || !`${to}${sep}`.startsWith(`${workspace}${sep}`)) continue;
      if (isSpec.test(file) && basename(to) === 'testing') continue;
      const key = JSON.stringify([from, to]);
      if (!arrows.has(key)) arrows.set(key, { from, to, file, imported });
    }
  return arrows;
};

/**
 * The pairs of folders that import each other, in one sentence each.
 * @param root of the repository
 * @param folders of it, each a workspace or the parent of some
 */
export const folderPairs = (root, folders) =>
  folders
    .flatMap((folder) => workspacesIn(join(root, folder)))
    .flatMap((workspace) => {
      const arrows = arrowsOf(workspace);
      const name = (path) => relative(root, path).split(sep).join('/');
      return [...arrows.values()]
        .filter(({ from, to }) => from < to)
        .flatMap((arrow) => {
          const back = arrows.get(JSON.stringify([arrow.to, arrow.from]));
          if (back === undefined) return [];
          const [one, other] = [arrow, back].map(
            ({ file, imported }) => `${name(file)} imports ${name(imported)}`,
          );
          return [`${name(arrow.from)} and ${name(arrow.to)} import each other: ${one}, and ${other}`];
        });
    });
