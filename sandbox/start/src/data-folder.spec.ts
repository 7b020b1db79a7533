import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { DataFolder } from './data-folder.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-data-folder-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('makes a key for a service that was added after the folder, and keeps every other secret', () => {
  const folder = new DataFolder(directory);
  const before = folder.secrets();
  const { widgets: _, ...callerPrivateKeys } = before.callerPrivateKeys;
  const file = join(directory, 'secrets.json');
  writeFileSync(file, JSON.stringify({ ...before, callerPrivateKeys }));
  const after = folder.secrets();
  expect(after.callerPrivateKeys.widgets).toEqual(expect.stringMatching(/.{20}/));
  expect({ ...after, callerPrivateKeys: { ...after.callerPrivateKeys, widgets: undefined } }).toEqual({
    ...before,
    callerPrivateKeys: { ...before.callerPrivateKeys, widgets: undefined },
  });
  expect(folder.secrets()).toEqual(after);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(after);
});
