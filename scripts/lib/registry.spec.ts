// What every script refuses before it installs or compiles a service that is half there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file: string = join(root, 'scripts/lib/registry.mjs'); // plain JavaScript
const { registryProblems } = (await import(file)) as {
  readonly registryProblems: (root: string) => readonly string[];
};

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'parlance-registry-'));
  write('gateway/package.json', '{}');
  write('services/billing/package.json', '{}');
  writeRows('gateway', 'services/billing');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), content);
};
const writeRows = (...folders: readonly string[]): void =>
  write(
    'deploy/services.json',
    JSON.stringify({ processes: folders.map((folder) => ({ name: folder.split('/').at(-1), folder })) }),
  );

describe('the registry and the folders of services', () => {
  it('belong together in this repository', () => {
    expect(registryProblems(root)).toEqual([]);
  });

  it('are refused when a row has no folder', () => {
    writeRows('gateway', 'services/billing', 'services/ghost');
    expect(registryProblems(checkout)).toEqual([
      'deploy/services.json: the row ghost names the folder services/ghost, which has no package; add the folder, or remove the row',
    ]);
  });

  it('are refused when a folder has no row', () => {
    writeRows('gateway');
    expect(registryProblems(checkout)).toEqual([
      'deploy/services.json: the folder services/billing has no row; add one, or remove the folder',
    ]);
  });

  it('are accepted beside a folder that another branch has left', () => {
    write('services/old/dist/main.js', '');
    expect(registryProblems(checkout)).toEqual([]);
  });

  it('are refused when the registry is not JSON', () => {
    write('deploy/services.json', '{');
    expect(registryProblems(checkout)).toEqual([
      expect.stringMatching(/^deploy\/services\.json cannot be read: /),
    ]);
  });
});
