// Asks an installed program for its version, as every program of a sandbox answers it on its command line.
import { execFile } from 'node:child_process';

/** The first version number that the program prints when it is given the flag; "unknown" where it prints none. */
export const programVersion = (program: string, flag = '--version'): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, [flag], { timeout: 10_000 }, (_, stdout, stderr) =>
      resolve(/\d+\.\d+(\.\d+)*/.exec(`${stdout}\n${stderr}`)?.[0] ?? 'unknown'),
    );
  });
