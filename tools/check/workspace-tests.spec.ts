import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

interface Missing {
  readonly folder: string;
  readonly script: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const file: string = join(root, 'tools/check/workspace-tests.mjs'); // plain JavaScript
const { workspacesWithoutTest } = (await import(file)) as {
  readonly workspacesWithoutTest: (root: string) => readonly Missing[];
};

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'parlance-workspaces-'));
  write('package.json', { workspaces: ['gateway', 'services/*', '!services/old'] });
  write('gateway/package.json', {});
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const write = (path: string, content: object): void => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), JSON.stringify(content));
};
const test = 'node ../../scripts/test-workspace.mjs';

it('finds no fault in this repository', () => {
  expect(workspacesWithoutTest(root)).toEqual([]);
});

it('refuses a workspace that has specs and no test script', () => {
  write('services/new/package.json', { name: 'new' });
  write('services/new/src/deep/new.spec.ts', {});
  expect(workspacesWithoutTest(checkout)).toEqual([{ folder: 'services/new', script: test }]);
});

it('refuses a test script that runs something else', () => {
  write('services/new/package.json', { scripts: { test: 'jest' } });
  write('services/new/src/new.int.spec.ts', {});
  expect(workspacesWithoutTest(checkout)).toEqual([{ folder: 'services/new', script: test }]);
});

it('accepts a workspace whose script is the shared one, and one without specs', () => {
  write('services/new/package.json', { scripts: { test } });
  write('services/new/src/new.spec.ts', {});
  write('services/plain/package.json', {});
  write('services/plain/node_modules/x/x.spec.ts', {});
  write('services/plain/dist/x.spec.ts', {});
  write('services/old/package.json', {});
  write('services/old/src/x.spec.ts', {});
  expect(workspacesWithoutTest(checkout)).toEqual([]);
});
