// The part that the commands for a running platform share: their arguments, and the folder of the platform.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { DataFolder } from './data-folder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Ends the process: with 1 where the platform refuses, with 2 where the arguments are wrong. */
export const fail = (message: string, code: 1 | 2): never => {
  process.stderr.write(`${message}\n`);
  return process.exit(code);
};

/** Ends the process with the help where it was asked for, and with an exit code where the arguments are wrong. */
export const showHelp = (help: string, wasAsked: boolean | undefined): never => {
  process.stdout.write(help);
  return process.exit(wasAsked ? 0 : 2);
};

/** The arguments; where one of them is wrong the process ends with the help. */
export const readArguments = <const T extends ParseArgsOptionsConfig>(options: T, help: string) => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${help}`, 2);
  }
};

/** @param path relative to the root of the repository */
export const folderOf = (path = '.parlance'): DataFolder => new DataFolder(resolve(root, path));

/** The port of a part of the platform; ends the process where the platform does not run. */
export const portIn = (folder: DataFolder, port: number | undefined): number => {
  if (folder.runningAt() !== undefined && port !== undefined) return port;
  return fail(
    `No platform runs on ${folder.path}. Start it with npm start, or name its folder with --data-dir.`,
    1,
  );
};
