// Runs jest on the specs of this checkout, which it reads as TypeScript sources.
import { root, run } from './prepare.mjs';

/** Ends this process with the status of jest when it fails. */
export const jest = (...args) =>
  run(process.execPath, [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    `${root}node_modules/jest/bin/jest.js`,
    ...args,
  ]);
