import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Project {
  readonly exclude?: readonly string[];
  readonly references?: readonly { readonly path: string }[];
}
const projectOf = (folder: string): Project =>
  JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8'));

/** The folders that `tsc -b` compiles for a folder, itself among them. */
const compiledFor = (folder: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const { path } of projectOf(folder).references ?? []) compiledFor(join(folder, path), found);
  return found;
};

const hasSpecs = (folder: string): boolean =>
  readdirSync(join(root, folder, 'src'), { recursive: true }).some((name) =>
    String(name).endsWith('.spec.ts'),
  );

it('the build of the image compiles no fake, no test and no tool but the one it runs', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, folders = ''] = /tsc -b (.+?) &&/.exec(dockerfile) ?? [];
  const services = Object.keys(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages,
  ).filter((path) => /^services\/[^/]+$/.test(path));
  const named = folders.split(' ').flatMap((folder) => (folder === 'services/*' ? services : [folder]));
  expect(named).toEqual(expect.arrayContaining(['gateway', 'tools/provision', ...services]));
  const compiled = [...new Set(named.flatMap((folder) => [...compiledFor(folder)]))];
  expect(
    compiled.filter(
      (folder) => !/^(libs|packages|services|runtime)\/|^gateway$|^tools\/provision$/.test(folder),
    ),
  ).toEqual([]);
  const withSpecs = compiled.filter(
    (folder) =>
      existsSync(join(root, folder, 'src')) &&
      !(projectOf(folder).exclude ?? []).includes('src/**/*.spec.ts') &&
      hasSpecs(folder),
  );
  expect(withSpecs).toEqual([]);
});
