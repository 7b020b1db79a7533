// What a process that reads documents may do. Node's permission model denies it every file but its own code, child processes, native
// addons and WASI, and from Node 25 on the network as well; no-network.ts denies it on Node 24, to scripts.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Packages of this repository that the program imports; the others are in `node_modules`. */
const workspaces = ['@parlance/charsets'] as const;

/** The folder with the package.json of a file. */
const packageOf = (file: string): string => {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
};

const withParents = (folder: string): readonly string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...withParents(dirname(folder))];

/** @param program path of the program's file */
const readable = (program: string): readonly string[] => {
  const { resolve } = createRequire(program);
  const packages = [program, ...workspaces.map((name) => resolve(name))].map(packageOf);
  return [
    ...packages.flatMap((folder) => [join(folder, 'package.json'), join(folder, 'dist', '*')]),
    ...withParents(dirname(program))
      .map((folder) => join(folder, 'node_modules'))
      .filter((folder) => existsSync(folder))
      .map((folder) => join(folder, '*')),
  ];
};

/** Where the parent can see a child's memory, the child needs no thread for it: threads are outside of Node's permissions. */
const seesMemory = existsSync('/proc/self/status');

/** The memory of a process in bytes; undefined where this system does not show it, or the process is gone. */
export const memoryOf = (pid: number): number | undefined => {
  if (!seesMemory) return undefined;
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
};

/** Options of Node for the program, which watches its memory itself where nobody else can. */
export const confined = (
  program: string,
): { readonly execArgv: readonly string[]; readonly watchesItself: boolean } => ({
  execArgv: [
    '--permission',
    ...readable(program).map((path) => `--allow-fs-read=${path}`),
    ...(seesMemory ? [] : ['--allow-worker']),
    `--import=${pathToFileURL(join(dirname(program), 'no-network.js')).href}`,
  ],
  watchesItself: !seesMemory,
});
