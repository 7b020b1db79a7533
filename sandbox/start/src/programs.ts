// The programs of this folder as bundles, which the build makes: they load in half of the time.
import { fileURLToPath } from 'node:url';

/** The file of a program. */
export const programOf = (name: 'main' | 'services-process' | 'stand-ins-process'): string =>
  fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
