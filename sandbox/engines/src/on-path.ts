// Finds programs where a shell would, and where packages put servers that shells do not look for.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of an installed program. */
export const onPath = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .concat('/usr/sbin', '/usr/local/sbin')
    .map((directory) => join(directory, program))
    .find((file) => existsSync(file));
