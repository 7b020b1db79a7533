// Processes of the platform as the image runs them, for tests that kill, stop or start them.
import { fileURLToPath } from 'node:url';

/** The program of a process, such as `calls-logs`, in the bundles of `deploy/image`. `npm test` makes them. */
export const programOf = (process: string): string =>
  fileURLToPath(new URL(`../../../deploy/image/dist/programs/${process}.js`, import.meta.url));
