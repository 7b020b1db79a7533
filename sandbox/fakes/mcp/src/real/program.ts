// Where the program of an installed package lies.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const Manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

const require = createRequire(import.meta.url);

/**
 * The path of a package's first program. Searches the folders themselves, because some packages export no package.json.
 * @throws Error for a package that is not installed, or that has no program
 */
export const programOf = (name: string): string => {
  const folder = (require.resolve.paths(name) ?? [])
    .map((modules) => join(modules, name))
    .find((candidate) => existsSync(join(candidate, 'package.json')));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  const { bin } = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const [program] = typeof bin === 'string' ? [bin] : Object.values(bin);
  if (program === undefined) throw new Error(`${name} has no program`);
  return join(folder, program);
};
