import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const file: string = fileURLToPath(new URL('folder-pairs.mjs', import.meta.url)); // plain JavaScript
const { folderPairs } = (await import(file)) as {
  readonly folderPairs: (root: string, folders: readonly string[]) => readonly string[];
};

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'parlance-folders-'));
  write('libs/one/package.json', '{}');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), content);
};

describe('folderPairs', () => {
  it('names two folders that import each other, with an import of each direction', () => {
    write('libs/one/src/a/x.ts', "import { y } from '../b/y.js';");
    write('libs/one/src/b/y.ts', "export const y = async () => await import('../a/z.js');");
    expect(folderPairs(checkout, ['libs'])).toEqual([
      'libs/one/src/a and libs/one/src/b import each other: ' +
        'libs/one/src/a/x.ts imports libs/one/src/b/y.js, and libs/one/src/b/y.ts imports libs/one/src/a/z.js',
    ]);
  });

  it('counts a folder and the folder around it, types and re-exports', () => {
    write('libs/one/src/index.ts', "export * from './a/x.js';");
    write('libs/one/src/a/x.ts', "import type { Shape } from '../shape.js';");
    expect(folderPairs(checkout, ['libs/one'])).toHaveLength(1);
  });

  it('accepts arrows in one direction, and imports of other workspaces and packages', () => {
    write('libs/two/package.json', '{}');
    write('libs/one/src/index.ts', "import './a/x.js';\nimport 'express';");
    write('libs/one/src/a/x.ts', "import './y.js';\nimport '../../../two/src/a/x.js';");
    write('libs/two/src/a/x.ts', "import '../../../one/src/a/x.js';");
    write('libs/one/node_modules/z/a/x.ts', "import '../b/x.js';");
    expect(folderPairs(checkout, ['libs'])).toEqual([]);
  });

  it('accepts a spec that imports test helpers which are made of its folder, and no other file that does', () => {
    write('libs/one/src/testing/fixture.ts', "import '../a/x.js';");
    write('libs/one/src/a/x.spec.ts', "import '../testing/fixture.js';");
    expect(folderPairs(checkout, ['libs'])).toEqual([]);
    write('libs/one/src/a/x.ts', "import '../testing/fixture.js';");
    expect(folderPairs(checkout, ['libs'])).toHaveLength(1);
  });
});
