// Asks an installed program for its version, as every program of a sandbox answers it on its command line.
import { execFile } from 'node:child_process';

/** The first version number that `program --version` prints; "unknown" where it prints none. */
export const programVersion = (program: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: 10_000 }, (_, stdout, stderr) =>
      resolve(/\d+\.\d+(\.\d+)*/.exec(`${stdout}\n${stderr}`)?.[0] ?? 'unknown'),
    );
  });
